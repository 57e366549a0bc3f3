"""The settings of a run: what was asked for, as a value, and as part of the manifest."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.backends.context import BackendOptions
from generator.calling.retry import RetryPolicy
from generator.errors import WrongUse
from generator.overrides import apply_overrides
from generator.recipes.model import Recipe, RecipeSettings, RoleSpec
from generator.target import GIVE_UP_WITHOUT_YIELD
from generator.values import Sampling

DEFAULT_MODEL = "embedded"
DEFAULT_CONCURRENCY = 8
BACKEND_PREFIX = "backend."


MOST_COUNTED = 10**15
"""More items, requests or tokens than this cannot be asked for; the store counts in 64 bits."""

_POSITIVE = ("limit", "target", "concurrency", "rpm", "tpm", "max_cost", "max_tokens_total")


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Everything that decides what a run does.

    `model` answers for every role that `roles` does not name (both hold SPECs).
    `sampling` overrides a role's published sampling, by role and field name; fields
    that begin with "backend." set options of its backend, and the group "backend"
    those of every backend (for example `{"backend": {"roles": "fold-system"}}`).
    `limit` counts items, `target` accepted records, `concurrency` requests in flight
    at once; `give_up_after` items without an accepted one end the run (0: never).
    `retry_truncated` does the items again whose answer was cut off, and no others;
    a role's `max_tokens` may then differ from that of the run. `rpm` and `tpm` are
    requests and tokens a minute of each endpoint; `max_cost` (US dollars, by
    `prices` over the shipped table) and `max_tokens_total` stop the run before the
    request that could pass them.
    """

    recipe: str
    inputs: tuple[str, ...]
    out: Path
    model: str = DEFAULT_MODEL
    roles: Mapping[str, str] = field(default_factory=dict)
    sampling: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    recipe_settings: RecipeSettings = field(default_factory=RecipeSettings)
    seed: int | None = None
    limit: int | None = None
    target: int | None = None
    give_up_after: int = GIVE_UP_WITHOUT_YIELD
    concurrency: int | None = None
    branch: Path | None = None
    retry_truncated: bool = False
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    rpm: int | None = None
    tpm: int | None = None
    max_cost: float | None = None
    max_tokens_total: int | None = None
    prices: Path | None = None

    def __post_init__(self) -> None:
        for name in _POSITIVE:
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise WrongUse(f"{name.replace('_', '-')} must be more than 0, not {value}")
            if value is not None and value > MOST_COUNTED:
                raise WrongUse(f"{name.replace('_', '-')} is too large: {value}")
        if self.give_up_after < 0:
            raise WrongUse(f"give-up-after must be 0 or more, not {self.give_up_after}")
        if self.target is not None and self.limit is not None and self.target > self.limit:
            raise WrongUse(
                f"a target of {self.target} records cannot be met with a limit of {self.limit} "
                "items, which give one record each at most: raise --limit, or lower --target"
            )


def with_named_roles(settings: RunSettings, recipe: Recipe) -> RunSettings:
    """The settings with the optional roles switched on that are given a model."""
    switches = {
        role.switch: True for role in recipe.roles if role.switch and role.name in settings.roles
    }
    if not switches or recipe.options_type is None:
        return settings
    options = settings.recipe_settings.options or recipe.options_type()
    chosen = dataclasses.replace(
        settings.recipe_settings, options=dataclasses.replace(options, **switches)
    )
    return dataclasses.replace(settings, recipe_settings=chosen)


def needed_roles(settings: RunSettings, recipe: Recipe) -> tuple[RoleSpec, ...]:
    """The roles that will be asked: all but those whose switch is off."""
    options = settings.recipe_settings.options
    return tuple(
        role for role in recipe.roles if role.switch is None or getattr(options, role.switch, False)
    )


def role_specs(settings: RunSettings, recipe: Recipe) -> dict[str, str]:
    """The SPEC of each role that is asked. Raises `WrongUse` for a role the recipe lacks."""
    known = [role.name for role in recipe.roles]
    for name in [*settings.roles, *settings.sampling]:
        if name not in known and name != "backend":
            raise WrongUse(
                f"the recipe {recipe.name} has no role {name!r}; its roles: {', '.join(known)}"
            )
    return {
        role.name: settings.roles.get(role.name, settings.model)
        for role in needed_roles(settings, recipe)
    }


def role_sampling(settings: RunSettings, recipe: Recipe) -> dict[str, Sampling]:
    """The sampling of each role: as published, then the overrides, then the seed."""
    chosen: dict[str, Sampling] = {}
    for role in needed_roles(settings, recipe):
        wanted = settings.sampling.get(role.name, {})
        wanted = {n: v for n, v in wanted.items() if not n.startswith(BACKEND_PREFIX)}
        sampling = apply_overrides(role.sampling, wanted, f"{role.name}.")
        _check_sampling(sampling, role.name)
        if settings.seed is not None and sampling.seed is None:
            sampling = dataclasses.replace(sampling, seed=settings.seed)
        chosen[role.name] = sampling
    return chosen


def _check_sampling(sampling: Sampling, role: str) -> None:
    """Raise `WrongUse` for a value that no server takes."""
    bounds = {"temperature": (0, 10), "top_p": (0, 1), "max_tokens": (1, 10**9)}
    for name, (low, high) in bounds.items():
        value = getattr(sampling, name)
        if value is not None and not low <= value <= high:
            raise WrongUse(f"{role}.{name} must be from {low} to {high}, not {value}")
    for entry in sampling.extra:
        if not (isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], str)):
            raise WrongUse(
                f"{role}.extra holds pairs of a parameter's name and value, which can be given "
                f"from Python alone, not {entry!r}"
            )


def role_backend_options(settings: RunSettings, recipe: Recipe) -> dict[str, BackendOptions]:
    """The backend options of each role: `backend.NAME` for all, `ROLE.backend.NAME` for one."""
    general = apply_overrides(BackendOptions(), settings.sampling.get("backend", {}), "backend.")
    return {
        role.name: apply_overrides(
            general,
            {
                name.removeprefix(BACKEND_PREFIX): value
                for name, value in settings.sampling.get(role.name, {}).items()
                if name.startswith(BACKEND_PREFIX)
            },
            f"{role.name}.{BACKEND_PREFIX}",
        )
        for role in needed_roles(settings, recipe)
    }


def with_filters(settings: RecipeSettings, overrides: Mapping[str, Any]) -> RecipeSettings:
    """Recipe settings with some filter settings changed, general ones and the recipe's own."""
    own = getattr(settings.options, "filters", None)
    names = set() if own is None else {f.name for f in dataclasses.fields(own)}
    mine = {n: v for n, v in overrides.items() if n in names and n != "off"}
    general = {n: v for n, v in overrides.items() if n not in mine}
    settings = dataclasses.replace(
        settings, filters=apply_overrides(settings.filters, general, "filters.")
    )
    unknown = sorted(settings.filters.off - known_codes())
    if unknown:
        raise WrongUse(
            f"filters.off: there is no reject code {unknown[0]!r}; docs/reject-codes.md lists them"
        )
    if mine:
        options = dataclasses.replace(
            settings.options, filters=apply_overrides(own, mine, "filters.")
        )
        settings = dataclasses.replace(settings, options=options)
    return settings


def known_codes() -> frozenset[str]:
    """Every code that can be switched off; "all" is none of them, nor is a person's refusal."""
    from generator.filters import REJECT_CODES
    from generator.filters.selfplay import SELFPLAY_CODES
    from generator.filters.truthreader import TRUTHREADER_CODES
    from generator.recipes.selfplay.conversation import TURN_CODES
    from generator.recipes.truthreader.reading import ASSIGNMENT_CODES
    from generator.store.rows import REFUSED_BY_PERSON
    from parsers.utterance import UTTERANCE_CODES

    known = {
        *REJECT_CODES,
        *SELFPLAY_CODES,
        *TRUTHREADER_CODES,
        *ASSIGNMENT_CODES,
        *TURN_CODES,
        *UTTERANCE_CODES,
    }
    return frozenset(known - {REFUSED_BY_PERSON})


def to_plain(value: Any) -> Any:
    """A settings value as JSON-ready data, sets sorted, paths as text."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(k): to_plain(v) for k, v in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(to_plain(v) for v in value)
    if isinstance(value, Path):
        return value.as_posix()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [to_plain(v) for v in value]
    return value


def manifest_settings(
    settings: RunSettings,
    recipe: Recipe,
    *,
    endpoints: Mapping[str, str],
    sampling: Mapping[str, Sampling],
    backend_options: Mapping[str, BackendOptions],
    variants: Mapping[str, str],
    template_hashes: Mapping[str, str],
    input_fingerprint: str,
) -> dict[str, Any]:
    """The part of the manifest that must be equal for a run to be resumed."""
    chosen = to_plain(settings.recipe_settings)
    # Their content is in the template hashes; where it lies does not matter.
    chosen.pop("prompts", None)
    # Said only where there are any, so that runs that know nothing of them can be resumed.
    if not settings.recipe_settings.parser_words:
        chosen.pop("parser_words", None)
    if isinstance(chosen.get("options"), dict):
        chosen["options"].pop("summaries", None)
    plain: dict[str, Any] = {
        "recipe": recipe.name,
        "inputs": {"fingerprint": input_fingerprint},
        "roles": {
            name: {
                "endpoint": endpoint,
                "sampling": to_plain(sampling[name]),
                "backend": to_plain(backend_options[name]),
            }
            for name, endpoint in endpoints.items()
        },
        "variants": dict(variants),
        "templates": dict(template_hashes),
        **chosen,
    }
    normalised: dict[str, Any] = json.loads(json.dumps(plain))
    return normalised
