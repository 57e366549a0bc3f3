"""Which template variant a role is asked with: the one its backend can follow."""

from __future__ import annotations

from collections.abc import Sequence

from generator.errors import WrongUse
from generator.values import Capabilities, ConstraintKind, PromptForm
from prompts import Variant

_NEEDS: dict[str, ConstraintKind] = {
    "sentences": "gbnf",
    "free": "gbnf",
    "json": "json_schema",
}


def choose_variant(
    variants: Sequence[Variant], wanted: str, capabilities: Capabilities, *, role: str
) -> Variant:
    """The variant `wanted`, or for "auto" the first that suits the backend.

    A model that follows instructions gets the recipe as published (`plain`).
    One that does not gets a grammar where its backend enforces one, else a
    few-shot text to continue. Raises `WrongUse` when the backend cannot do what
    the wanted variant needs.
    """
    by_name = {variant.name: variant for variant in variants}
    if wanted != "auto":
        if wanted not in by_name:
            raise WrongUse(
                f"there is no template variant {wanted!r} for the role {role}; there are: auto, "
                + ", ".join(by_name)
            )
        variant = by_name[wanted]
        lacking = _lacking(variant, capabilities)
        if lacking:
            raise WrongUse(
                f"the variant {wanted!r} of the role {role} needs a backend that {lacking}; "
                "choose another --variant or another model"
            )
        return variant
    order = ("plain",) if capabilities.follows_instructions else ("grammar", "few-shot", "plain")
    for name in order:
        if name in by_name and not _lacking(by_name[name], capabilities):
            return by_name[name]
    raise WrongUse(
        f"no template variant of the role {role} suits this backend; there are: "
        + ", ".join(by_name)
    )


def prompt_form(variant: Variant, capabilities: Capabilities) -> PromptForm:
    """How the rendered template is sent. A variant with an opening must be continued as text."""
    if variant.form in capabilities.prompt_forms:
        return variant.form
    return "completion" if variant.form == "chat" else "chat"


def _lacking(variant: Variant, capabilities: Capabilities) -> str:
    if variant.opening and "completion" not in capabilities.prompt_forms:
        return "continues a text (openai-completions, or the embedded model)"
    if variant.constraint is not None:
        needed = _NEEDS[variant.constraint]
        if needed not in capabilities.constraints:
            name = "a GBNF grammar" if needed == "gbnf" else "a JSON schema"
            return f"enforces {name}"
    return ""
