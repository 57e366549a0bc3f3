"""From settings to a finished run directory: opens everything, runs, writes the views, closes."""

from __future__ import annotations

import platform
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from generator.backends import BackendOptions, make_backend
from generator.calling.budget import Budget, PastCall
from generator.calling.caller import Caller, Environs
from generator.calling.open_files import ensure_open_files
from generator.calling.prices import load_prices
from generator.calling.roles import RoleBinding
from generator.claiming import INPUTS_SEEN, claim_directory, keep_spooled
from generator.errors import StoreFault, WrongUse
from generator.interpreting import Interpreting, ProcessorTime
from generator.judge_version import note_judge
from generator.progress import Progress
from generator.recipes import get_recipe
from generator.recipes.model import PreparedRecipe, Recipe
from generator.replay_source import StoredCalls, capabilities_to_plain, open_stored_calls
from generator.run import Run, RunResult, StopSignal
from generator.run_directory import MANIFEST_VERSION, RunDirectory, check_same_settings
from generator.settings import (
    DEFAULT_CONCURRENCY,
    RunSettings,
    manifest_settings,
    role_backend_options,
    role_sampling,
    role_specs,
    with_named_roles,
)
from generator.store import RunStore, naming_store_faults
from generator.target import Yield
from generator.values import Backend, Environment
from generator.views import SAME_CAPS, write_views


@dataclass(frozen=True, slots=True)
class PreparedJob:
    """A recipe with its backends and templates, checked; nothing was asked or written yet."""

    settings: RunSettings
    recipe: Recipe
    prepared: PreparedRecipe
    bindings: tuple[RoleBinding, ...]
    concurrency: int


async def prepare_job(
    settings: RunSettings, environ: Environment, stack: AsyncExitStack
) -> PreparedJob:
    """Make the backends (closed by `stack`) and check recipe, roles and templates."""
    recipe = get_recipe(settings.recipe)
    check_own_templates(settings)
    settings = with_named_roles(settings, recipe)
    specs = role_specs(settings, recipe)
    sampling = role_sampling(settings, recipe)
    concurrency = settings.concurrency or DEFAULT_CONCURRENCY
    wanted = role_backend_options(settings, recipe)
    backends: dict[tuple[str, BackendOptions], Backend] = {}

    def open_run(name: str) -> StoredCalls:
        calls = open_stored_calls(name)
        stack.callback(calls.close)
        return calls

    for role, spec in specs.items():
        if (spec, wanted[role]) not in backends:
            backend = make_backend(
                spec,
                environ=environ,
                concurrency=concurrency,
                options=wanted[role],
                open_run=open_run,
            )
            backends[spec, wanted[role]] = backend
            stack.push_async_callback(backend.aclose)
    bindings = tuple(
        RoleBinding(role, backends[spec, wanted[role]], sampling[role])
        for role, spec in specs.items()
    )
    prepared = recipe.prepare(
        settings.recipe_settings, {b.role: b.backend.capabilities for b in bindings}
    )
    return PreparedJob(settings, recipe, prepared, bindings, concurrency)


def check_own_templates(settings: RunSettings) -> None:
    """Raise `WrongUse` where a folder of templates holds none that this run would look for."""
    folder, lang = settings.recipe_settings.prompts, settings.recipe_settings.lang
    if folder is None:
        return
    place = folder / settings.recipe / lang
    try:
        found = any(path.suffix in (".jinja", ".json") for path in place.iterdir())
    except OSError:
        found = False
    if not found:
        raise WrongUse(
            f"--prompts {folder}: holds no template for this run; they are looked for in {place} "
            "(docs/templates.md)"
        )


def job_manifest(job: PreparedJob, input_fingerprint: str) -> dict[str, Any]:
    """The manifest of a run: what was asked for, with which versions, without secrets."""
    settings = job.settings
    return {
        "manifest_version": MANIFEST_VERSION,
        "recipe": job.recipe.name,
        "shape": job.recipe.shape,
        "roles": {
            b.role: {
                "spec": b.backend.spec,
                "capabilities": capabilities_to_plain(b.backend.capabilities),
            }
            for b in job.bindings
        },
        "inputs": list(settings.inputs),
        "prompts": None
        if settings.recipe_settings.prompts is None
        else settings.recipe_settings.prompts.as_posix(),
        "seed": settings.seed,
        "settings": manifest_settings(
            settings,
            job.recipe,
            endpoints={b.role: b.backend.endpoint for b in job.bindings},
            sampling={b.role: b.sampling for b in job.bindings},
            backend_options=role_backend_options(settings, job.recipe),
            variants=job.prepared.variants,
            template_hashes=job.prepared.template_hashes,
            input_fingerprint=input_fingerprint,
        ),
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """Versions of what shapes a run."""
    found = {"python": platform.python_version()}
    for name in ("dialogsmith", "openai", "jinja2", "tenacity", "jsonlines", "xllamacpp"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


async def run_job(
    settings: RunSettings,
    *,
    environ: Environment,
    progress: Progress,
    stop: StopSignal | None = None,
    environs: Environs | None = None,
    processor: ProcessorTime | None = None,
) -> RunResult:
    """Run or resume, and write the views. Raises `WrongUse` before anything is asked.

    A `RunStopped` that occurs while calls are made is given back in the result,
    after all that arrived was written. `environs` and `processor` are the world outside:
    time, chance, and how busy this process is.
    """
    async with AsyncExitStack() as stack:
        stack.enter_context(naming_store_faults(RunDirectory(settings.out).store))
        job = await prepare_job(settings, environ, stack)
        ensure_open_files(job.concurrency)
        prices = load_prices(settings.prices)
        budget = Budget(
            prices, max_cost=settings.max_cost, max_tokens_total=settings.max_tokens_total
        )
        budget.check(job.bindings)
        check_earlier_runs(settings)
        now = (environs or Environs()).clock()
        directory, inputs, seen = claim_directory(settings, stack, now=now)
        manifest = job_manifest(job, seen.contents)
        store = open_store(directory)
        stack.callback(store.close)
        manifest = agree_on_manifest(
            directory, store, manifest, larger_caps=settings.retry_truncated
        )
        store.put_meta(INPUTS_SEEN, seen.to_json())
        inputs = keep_spooled(directory, inputs)
        if store.meta("refilter_pending"):
            raise StoreFault(
                f"{directory.path}: a refilter of this run was interrupted. "
                f"`dialogsmith refilter {directory.path}` finishes it."
            )
        if budget.capped:
            budget.add_earlier(PastCall(*paid) for paid in store.paid_calls())
        if settings.branch is not None or settings.retry_truncated:
            store.put_meta(SAME_CAPS, False)
        if settings.branch is not None and store.meta("branched_from") is None:
            store.copy_calls_from(RunDirectory(settings.branch).store)
        store.forget_derived()
        note_judge(store)
        if settings.retry_truncated:
            store.unjudge_truncated()
        caller = Caller(
            store,
            job.bindings,
            concurrency=job.concurrency,
            rpm=settings.rpm,
            tpm=settings.tpm,
            budget=budget,
            retry=settings.retry,
            environs=environs,
            on_call=progress.call,
            on_wait=progress.waiting,
        )
        workers = workers_for(job.concurrency)
        interpreting = Interpreting(job.prepared, workers=workers, processor=processor)
        stack.callback(interpreting.close)
        run = Run(
            job.prepared,
            store,
            caller,
            workers=workers,
            limit=settings.limit,
            wanted=Yield(settings.target, settings.give_up_after),
            progress=progress,
            stop=stop,
            filters_off=settings.recipe_settings.filters.off,
            # Copies of streams may stand under another name than last time.
            same_inputs=manifest["inputs"] == list(settings.inputs) == list(inputs),
            interpreting=interpreting,
        )
        result = await run.execute(inputs)
        write_views(directory, store, manifest, prices)
        return result


def check_earlier_runs(settings: RunSettings) -> None:
    """Raise `WrongUse`, before anything is made, where a run that is built upon is none."""
    if settings.branch is not None:
        RunDirectory(settings.branch).read_manifest()
    if settings.retry_truncated and not RunDirectory(settings.out).has_run:
        raise WrongUse(
            f"--retry-truncated: {settings.out} holds no run yet whose answers could have been cut "
            "off. Give the --out of the run, or leave the option out."
        )


def workers_for(concurrency: int) -> int:
    """Items worked on at once: more than may be asked, since some are being read or stored."""
    return concurrency + min(concurrency, max(8, concurrency // 4))


def open_store(directory: RunDirectory) -> RunStore:
    """The store of the run; a run that has lost its store is an error, never a fresh start."""
    if directory.has_run and not (directory.store.is_file() and directory.store.stat().st_size):
        raise StoreFault(
            f"{directory.path}: has a manifest but no store; what was paid for is not here. "
            f"Restore {directory.store.name} from a copy, or choose another --out."
        )
    return RunStore(directory.store, create=True)


def agree_on_manifest(
    directory: RunDirectory,
    store: RunStore,
    manifest: dict[str, Any],
    *,
    larger_caps: bool = False,
) -> dict[str, Any]:
    """The manifest this run goes by: the one there is, if the settings agree, else the new one."""
    if not directory.manifest.exists():
        if store.counts()["items"]:
            raise StoreFault(
                f"{directory.path}: has a store but no manifest, so nobody can tell whose it is. "
                f"Restore {directory.manifest.name} from a copy, or choose another --out."
            )
        directory.write_manifest(manifest)
        store.put_meta(SAME_CAPS, not store.counts()["calls"])
        return manifest
    known = directory.read_manifest()
    check_same_settings(known, manifest, directory.path, larger_caps=larger_caps)
    return known
