"""`report.html`: one self-contained page, readable without script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator.report.beside_published import figures_beside_published, judged_figures
from generator.report.samples import Sample, rejected_samples
from generator.report.summary import RunSummary, summarise
from generator.run_directory import RunDirectory, flatten, replacing

EXAMPLES_EACH = 3
_LONGEST_RAW = 4000


def write_report(run: Path) -> Path:
    """Write the page into the run directory; answers its path."""
    import jinja2

    summary = summarise(run)
    environment = jinja2.Environment(
        # Corpus text is untrusted markup here, unlike in prompts.
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    source = Path(__file__).with_name("report.html.jinja").read_text(encoding="utf-8")
    directory = RunDirectory(run)
    with replacing(directory.report) as file:
        file.write(
            environment.from_string(source).render(
                summary=summary,
                bars=_bars(summary),
                figures=(
                    *figures_beside_published(run, summary.manifest),
                    *judged_figures(summary.measures),
                ),
                examples=_examples(run, summary),
                settings=sorted(flatten(summary.manifest["settings"]).items()),
                versions=sorted(summary.manifest["versions"].items()),
                roles=summary.manifest["roles"],
                name=run.name,
            )
        )
    return directory.report


def _bars(summary: RunSummary) -> list[dict[str, Any]]:
    items = max(summary.counts["items"], 1)
    rows = [("accepted", summary.counts["accepted"], "good")]
    rows += [(f"{r.stage}/{r.code}", r.first, "bad") for r in summary.reasons if r.first]
    rows += [
        (place, summary.counts[place], "open")
        for place in ("failed", "pending")
        if summary.counts[place]
    ]
    return [
        {"label": label, "count": count, "width": round(100 * count / items, 2), "kind": kind}
        for label, count, kind in rows
    ]


def _examples(run: Path, summary: RunSummary) -> Iterator[dict[str, Any]]:
    for reason in summary.reasons:
        samples = rejected_samples(run, code=reason.code, stage=reason.stage, limit=EXAMPLES_EACH)
        yield {
            "stage": reason.stage,
            "code": reason.code,
            "samples": [_example(s, reason.stage, reason.code) for s in samples],
        }


def _example(sample: Sample, stage: str, code: str) -> dict[str, Any]:
    reason = next(
        r for r in sample.verdict.all_reasons if r["code"] == code and r["stage"] == stage
    )
    place = sample.verdict.spans_in
    raw = sample.raw[place] if place < len(sample.raw) else ""
    start, end = reason["span"] or (0, 0)
    end = min(end, len(raw), start + _LONGEST_RAW)
    return {
        "id": sample.item.id,
        "detail": reason["detail"],
        "before": raw[max(0, start - _LONGEST_RAW // 2) : start],
        "marked": raw[start:end],
        "after": raw[end : end + _LONGEST_RAW // 2],
    }
