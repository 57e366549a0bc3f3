"""The yield of a run as plain text."""

from __future__ import annotations

from pathlib import Path

from generator.report.show import harmless
from generator.report.summary import RunSummary, summarise


def describe_run(run: Path) -> str:
    """The yield table of a run directory, ready to print."""
    return describe(summarise(run), run)


def describe(summary: RunSummary, run: Path) -> str:
    """Places, reasons and skips, with a line that shows that the counts add up."""
    counts = summary.counts
    lines = [f"{run}  ({summary.recipe})", ""]
    places = ("accepted", "rejected", "failed", "pending")
    width = max(len(f"{counts['items']:,}"), 5)
    lines += [f"  {counts[place]:>{width},}  {place}" for place in places]
    lines.append(f"  {counts['items']:>{width},}  items{'' if summary.adds_up else '  (MISMATCH)'}")
    if summary.unfinished is not None:
        lines += ["", f"  not finished: {harmless(summary.unfinished)}"]
    share = summary.yield_share
    if share is not None:
        lines += ["", f"  yield {share:.1%} of the judged items"]
    lines += _tokens(summary)
    if summary.reasons:
        lines += ["", "  rejected for (first reason; in brackets: all with that reason)"]
        lines += [
            f"  {reason.first:>{width},}  [{reason.any:,}]  {reason.stage}/{reason.code}"
            for reason in summary.reasons
        ]
    if summary.failures:
        lines += ["", "  failed at the backend (tried again by the next run)"]
        for code, (count, first) in summary.failures.items():
            lines += [f"  {count:>{width},}  {code}", f"  {'':>{width}}  {harmless(first)[:300]}"]
    if summary.notes:
        lines += ["", "  changed by the backend to be understood"]
        lines += [f"  {'':>{width}}  {harmless(note)}" for note in summary.notes]
    if summary.skips:
        lines += ["", "  in the inputs, but no item (see skipped.jsonl)"]
        lines += [f"  {count:>{width},}  {code}" for code, count in summary.skips.items()]
    return "\n".join(lines)


def _tokens(summary: RunSummary) -> list[str]:
    prompt, completion = summary.tokens["prompt"], summary.tokens["completion"]
    calls = summary.counts["calls"]
    if not calls:
        return []
    if prompt is None or completion is None:
        return [f"  {calls:,} calls; tokens unknown (the server did not report all)"]
    return [f"  {calls:,} calls; {prompt:,} prompt tokens, {completion:,} completion tokens"]
