"""The evidence record: an AVeriTeC claim with what was found for it.

Twelve of AVeriTeC's keys, `claim_id` before them, and after them the search
queries and two lists of equal length, best evidence first: where each piece
comes from, and its text. Every key is there even where its value is null.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.shapes.schema import Finding, Flag, Items, Record, Text, Whole

LABELS = (
    "Supported",
    "Refuted",
    "Not Enough Evidence",
    "Conflicting Evidence/Cherrypicking",
)
SEARCH_TYPES = ("raw-claim", "claim+author", "search_query")
MAX_EVIDENCE = 10

_NULLABLE = Text(nullable=True)

SHAPE = Record(
    (
        ("claim_id", Whole()),
        ("claim", Text(filled=True)),
        ("required_reannotation", Flag()),
        ("label", Text(nullable=True, one_of=LABELS)),
        ("justification", _NULLABLE),
        ("claim_date", _NULLABLE),
        ("speaker", _NULLABLE),
        ("original_claim_url", _NULLABLE),
        ("fact_checking_article", _NULLABLE),
        ("reporting_source", _NULLABLE),
        ("location_ISO_code", _NULLABLE),
        ("claim_types", Items(Text())),
        ("cached_original_claim_url", _NULLABLE),
        ("search_queries", Items(Text(filled=True))),
        (
            "evidences_metadata",
            Items(
                Record(
                    (
                        ("date", _NULLABLE),
                        ("search_string", _NULLABLE),
                        ("search_type", Text(nullable=True, one_of=SEARCH_TYPES)),
                        ("title", _NULLABLE),
                        ("url", _NULLABLE),
                    )
                ),
                at_most=MAX_EVIDENCE,
            ),
        ),
        ("evidences_content", Items(Text(filled=True), at_most=MAX_EVIDENCE)),
    )
)

_CLAIM_KEYS = tuple(name for name, _ in SHAPE.fields[1:13])


def averitec_record(
    *,
    claim_id: int,
    claim: dict[str, Any],
    search_queries: list[str],
    evidences: list[tuple[dict[str, str | None], str]],
) -> dict[str, Any]:
    """Build one record from a claim as AVeriTeC has it; what the claim lacks becomes null.

    `evidences` are (metadata, text), best first; metadata has `date`,
    `search_string`, `search_type`, `title`, `url`.
    """
    record: dict[str, Any] = {"claim_id": claim_id}
    record.update((name, claim.get(name)) for name in _CLAIM_KEYS)
    record["required_reannotation"] = bool(record["required_reannotation"])
    record["claim_types"] = record["claim_types"] or []
    record["search_queries"] = search_queries
    record["evidences_metadata"] = [
        {
            name: metadata.get(name)
            for name in ("date", "search_string", "search_type", "title", "url")
        }
        for metadata, _ in evidences
    ]
    record["evidences_content"] = [text for _, text in evidences]
    return record


def check_averitec(value: Any) -> Iterator[Finding]:
    """Every departure of one record: keys, order, types, then the evidence lists."""
    findings = list(SHAPE.check(value, ""))
    yield from findings
    if not all(finding.only_order for finding in findings):
        return
    metadata, content = value["evidences_metadata"], value["evidences_content"]
    if len(metadata) != len(content):
        yield Finding(
            "evidences_content",
            f"{len(content)} texts for {len(metadata)} entries of evidences_metadata",
        )
    speaker = value["speaker"]
    known = {value["claim"], *value["search_queries"]}
    if speaker:
        known.add(f"{speaker} {value['claim']}")
    for i, entry in enumerate(metadata):
        if entry["search_string"] is not None and entry["search_string"] not in known:
            yield Finding(
                f"evidences_metadata[{i}].search_string",
                "is neither the claim, nor speaker and claim, nor one of search_queries",
            )
