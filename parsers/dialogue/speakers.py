"""Decides which labels are the two speakers, whatever words they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .labels import SIDES, SPEAKING, Label


@dataclass(frozen=True, slots=True)
class Cast:
    """The speakers found. `keys` gives every label its speaker ("" for labels of other kinds),
    `chosen` the speakers of the dialogue, `numbered` whether numbers only count the turns."""

    keys: tuple[str, ...]
    chosen: frozenset[str]


def settle_letters(labels: Sequence[Label]) -> list[Label]:
    """Make one-letter labels names unless Q and A come together: "A:" may answer or be a person."""
    bases = {label.base for label in labels}
    pair = "q" in bases and "a" in bases
    settled: list[Label] = []
    for label in labels:
        base = label.base
        if len(base) == 1 and label.kind in {"question", "answer", "bot"} and base.upper() != base:
            partner = pair and base in "qa"
            if label.number is not None and base in "qa":
                settled.append(label)
                continue
            worded = base in "qa" and bool(bases & {"question", "answer"})
            if not partner and not worded:
                label = label._replace(kind="name")
        settled.append(label)
    return settled


def are_roles(labels: Iterable[Label]) -> bool:
    """Whether the labels, summaries aside, are words with a role, unnumbered, and of both roles."""
    sides: set[str] = set()
    for label in labels:
        if label.kind == "summary":
            continue
        if label.ident or label.kind not in SIDES:
            return False
        sides.add(SIDES[label.kind])
    return len(sides) == 2


def find_cast(labels: Sequence[Label], *, structured: bool, summarised: bool) -> Cast:
    """Choose the speakers among `labels`.

    Words with a role come first; otherwise the two names that come most often. `structured`
    labels (of tags, JSON keys, table cells) are speakers by their place, so a name counts even
    when it comes once; so it does when there is a labelled summary and just two names.
    """
    keys = speaker_keys(labels)
    counts: dict[str, int] = {}
    kind_of: dict[str, Label] = {}
    for key, label in zip(keys, labels, strict=True):
        if not key:
            continue
        if key in counts:
            counts[key] += 1
        else:
            counts[key] = 1
            kind_of[key] = label
    sided = {
        key: SIDES[label.kind]
        for key, label in kind_of.items()
        if label.kind in SIDES and not _is_identity(key, label)
    }
    others = [key for key in counts if key not in sided]
    if len(set(sided.values())) == 2 and not _outnumbered(sided, others, counts, kind_of):
        return Cast(keys, frozenset(sided))
    pool = sorted(counts, key=lambda key: -counts[key])
    if structured:
        return Cast(keys, frozenset(pool))
    strongest = [key for key in pool if _may_speak(key, counts, kind_of, sided)]
    if len(strongest) == 1:
        partners = [key for key in pool if key not in strongest and not kind_of[key].faint]
        strongest += partners[:1]
    if not strongest and summarised and len(pool) == 2 and not any(kind_of[k].faint for k in pool):
        strongest = pool
    if len(sided) == 1 and len(strongest) > 2:
        # "Bot" and the one name that comes most often beside it
        side = next(iter(sided))
        if side in strongest[:2]:
            return Cast(keys, frozenset(strongest[:2]))
    if len(sided) >= 2 and len(set(sided.values())) == 1 and not (set(strongest) - set(sided)):
        return Cast(keys, frozenset(sided))
    return Cast(keys, frozenset(strongest[:2]))


def _outnumbered(
    sided: Mapping[str, str],
    others: list[str],
    counts: Mapping[str, int],
    kind_of: dict[str, Label],
) -> bool:
    """Whether two names speak throughout and the role words merely stand inside their turns."""
    names = [counts[key] for key in others if not kind_of[key].faint]
    return (
        len([count for count in names if count > 1 and count > max(counts[k] for k in sided)]) >= 2
    )


def _may_speak(
    key: str, counts: Mapping[str, int], kind_of: dict[str, Label], sided: Mapping[str, str]
) -> bool:
    label = kind_of[key]
    if key in sided or label.kind in {"asker", "teller", "speaker", "person", "bot"}:
        return True
    return counts[key] >= 2


def _is_identity(key: str, label: Label) -> bool:
    return bool(label.ident) and key == f"{label.base}\n{label.ident}"


def speaker_keys(labels: Sequence[Label]) -> tuple[str, ...]:
    """One key a speaker. A number is part of it when it tells two speakers of one word apart."""
    if {label.ident for label in labels} <= {""}:
        return tuple([label.base if label.kind in SPEAKING else "" for label in labels])
    idents: dict[str, list[str]] = {}
    sides: set[str] = set()
    for label in labels:
        if label.kind in SPEAKING:
            if label.kind in SIDES:
                sides.add(SIDES[label.kind])
            if label.ident:
                idents.setdefault(label.base, []).append(label.ident)
    apart = {
        base
        for base, found in idents.items()
        if len(set(found)) > 1 and not _counts_up(found, sides, base, labels)
    }
    return tuple(
        ""
        if label.kind not in SPEAKING
        else f"{label.base}\n{label.ident}"
        if label.base in apart and label.ident and label.kind not in {"question", "answer"}
        else label.base
        for label in labels
    )


def _counts_up(found: list[str], sides: set[str], base: str, labels: Sequence[Label]) -> bool:
    """Whether the numbers of one word count its turns (1, 2, 3, …) beside another speaker's."""
    others = {label.base for label in labels if label.kind in SPEAKING} - {base}
    if not others or len(found) != len(set(found)):
        return False
    return all(ident.isdigit() for ident in found) and [int(i) for i in found] == sorted(
        int(i) for i in found
    )
