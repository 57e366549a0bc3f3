"""Where template files are found: a user's folder first, then the shipped ones."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from prompts.errors import TemplateProblem

SHIPPED = Path(__file__).resolve().parent
# One path part, no dot and no separator: a name can never lead out of its folder.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A text file as read: its path for messages, and its text (BOM removed, LF line ends)."""

    path: Path
    text: str


def read_source(
    recipe: str, lang: str, file_name: str, *, suffix: str, overrides: Path | None
) -> SourceFile | None:
    """Read `<recipe>/<lang>/<file_name><suffix>`, the user's before the shipped one.

    None when there is neither. Raises `TemplateProblem` for a name that is no
    plain name, and for a file that cannot be read or is not UTF-8.
    """
    for part in (recipe, lang, file_name):
        if not _NAME.fullmatch(part):
            raise TemplateProblem(
                f"{part!r} is no template name; use letters, digits, '-' and '_' only.",
                template=f"{recipe}/{lang}/{file_name}",
            )
    for root in (overrides, SHIPPED):
        if root is None:
            continue
        path = root / recipe / lang / f"{file_name}{suffix}"
        if os.path.isfile(path):
            return SourceFile(path, _read(path))
    return None


def list_names(recipe: str, lang: str, *, overrides: Path | None) -> tuple[str, ...]:
    """Names of the templates of a recipe in a language, the user's and the shipped, sorted."""
    names: set[str] = set()
    for root in (overrides, SHIPPED):
        if root is not None and _NAME.fullmatch(recipe) and _NAME.fullmatch(lang):
            names.update(path.stem for path in (root / recipe / lang).glob("*.jinja"))
    return tuple(sorted(names))


def _read(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise TemplateProblem(
            f"cannot be read ({error.strerror}). Check the file and its rights.", template=str(path)
        ) from error
    except UnicodeDecodeError as error:
        raise TemplateProblem(
            f"is not UTF-8 (byte {error.start}). Save it as UTF-8.", template=str(path)
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")
