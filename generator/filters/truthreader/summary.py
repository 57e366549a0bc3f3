"""A corpus of records in numbers, beside those of the published sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from generator.filters.truthreader.measures import measured_sample, record_measures
from parsers.citations import HIGH, LOW
from parsers.text.question_types import QUESTION_TYPES

SOURCE = (
    "HITsz-TMG/TruthReader-document-assistant, TruthReader_training_data_sample.json "
    "(10 Chinese and 10 English records)"
)
"""What `PUBLISHED` was measured on. Small: bands to be near, not targets to be hit."""

PUBLISHED: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "documents": {"zh": 2.4, "en": 2.7},
        "documents_uncited_share": {"all": 0.41},
        "empty_title_share": {"all": 3 / 51},
        "document_tokens": {"zh": 466, "en": 664},
        "document_characters": {"zh": 585, "en": 4116},
        "question_tokens": {"zh": 18, "en": 19},
        "answer_tokens": {"zh": 208, "en": 258},
        "answer_characters": {"zh": 248, "en": 1536},
        "groups": {"zh": 5.2, "en": 11.8},
        "multi_group_share": {"all": 16 / 170},
        "cites_several_share": {"zh": 0.30, "en": 0.50},
        "cited_to_the_end_share": {"all": 1.0},
        "support_mean": {"zh": 0.89, "en": 0.84},
        "support_median": {"zh": 0.94, "en": 0.90},
        "high_share": {"zh": 0.94, "en": 0.93},
        "low_share": {"zh": 0.02, "en": 0.04},
        "uncited_mean": {"zh": 0.56, "en": 0.53},
        "refusal_share": {"all": 0.05},
        "history_0_share": {"zh": 0.4, "en": 0.4},
        "history_2_share": {"zh": 0.1, "en": 0.5},
        "history_4_share": {"zh": 0.2, "en": 0.1},
        "history_6_share": {"zh": 0.2, "en": 0.0},
        "history_8_share": {"zh": 0.1, "en": 0.0},
    }
)
"""The sample's figures by name and language, "all" where only both together are known."""

_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "documents": "documents per record",
        "documents_uncited_share": "documents that are never cited",
        "empty_title_share": "documents without a title",
        "document_tokens": "tokens per document",
        "document_characters": "characters per document",
        "question_tokens": "tokens per question",
        "answer_tokens": "tokens per answer",
        "answer_characters": "characters per answer",
        "groups": "citation groups per answer",
        "multi_group_share": "groups with several markers",
        "cites_several_share": "answers that cite several documents",
        "cited_to_the_end_share": "answers whose last sentence is cited",
        "support_mean": "precision of cited spans, mean",
        "support_median": "precision of cited spans, median",
        "high_share": f"spans with at least {HIGH:.2f}",
        "low_share": f"spans below {LOW:.2f}",
        "uncited_mean": "the same spans against the best uncited document",
        "refusal_share": "refusals",
        **{f"history_{n}_share": f"histories of {n} strings" for n in (0, 2, 4, 6, 8)},
        **{f"type_{name}_share": f"questions of type {name}" for name in QUESTION_TYPES},
    }
)
_BINS = 1000


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One figure: its name, what it is for a reader, and its value by language.

    `values` and `published` have the keys "zh", "en" and "all" as far as they are known. Names that
    end in `_share` are shares from 0 to 1, as are precisions; all others are means per record.
    """

    name: str
    label: str
    values: Mapping[str, float]
    published: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class TruthReaderSummary:
    """All figures in a fixed order, and how many records of each language there are."""

    records: Mapping[str, int]
    rows: tuple[SummaryRow, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "records": dict(self.records),
            "published_source": SOURCE,
            "rows": [
                {
                    "name": row.name,
                    "label": row.label,
                    "values": dict(row.values),
                    "published": dict(row.published),
                }
                for row in self.rows
            ],
        }


def summarise_truthreader(
    records: Iterable[Mapping[str, Any]], lang: str | None = None
) -> TruthReaderSummary:
    """The figures of records of the published shape, each beside the published sample's.

    Reads the records once and keeps none. `lang` is each record's own when it is None. The median
    is exact to 0.001.
    """
    tallies: dict[str, _Tally] = {}
    for record in records:
        sample = measured_sample(record, lang)
        tally = tallies.setdefault(sample.lang, _Tally())
        tally.add(record_measures(sample), [span.support for span in sample.spans])
    every = _Tally()
    for tally in tallies.values():
        every.merge(tally)
    figures = {name: tally.figures() for name, tally in sorted(tallies.items())}
    if figures:
        figures["all"] = every.figures()
    rows = tuple(
        SummaryRow(
            name,
            label,
            {key: values[name] for key, values in figures.items() if name in values},
            PUBLISHED.get(name, {}),
        )
        for name, label in _LABELS.items()
    )
    counts = {name: tally.records for name, tally in sorted(tallies.items())}
    return TruthReaderSummary({**counts, "all": every.records}, rows)


class _Tally:
    """Sums over records, and the spread of their spans' precision in a fixed number of bins."""

    def __init__(self) -> None:
        self.records = 0
        self._sums: Counter[str] = Counter()
        self._bins = [0] * (_BINS + 1)

    def add(self, measures: Mapping[str, float | int | str], supports: Iterable[float]) -> None:
        """One record and the precision of its spans."""
        self.records += 1
        for name, value in measures.items():
            if not isinstance(value, str):
                self._sums[name] += value  # type: ignore[assignment]
        self._sums[f"type_{measures['question_type']}"] += 1
        self._sums[f"history_{measures['history_strings']}"] += 1
        for share in supports:
            self._bins[round(share * _BINS)] += 1

    def merge(self, other: _Tally) -> None:
        """All of another tally."""
        self.records += other.records
        self._sums.update(other._sums)
        self._bins = [one + more for one, more in zip(self._bins, other._bins, strict=True)]

    def figures(self) -> dict[str, float]:
        """Every figure that the records give."""
        sums, records = self._sums, self.records
        answers = records - sums["refusal"]
        found = {
            name: sums[name] / records
            for name in ("documents", "question_tokens", "answer_tokens", "answer_characters")
        }
        found["groups"] = sums["groups"] / records
        found["refusal_share"] = sums["refusal"] / records
        for length in (0, 2, 4, 6, 8):
            found[f"history_{length}_share"] = sums[f"history_{length}"] / records
        for kind in QUESTION_TYPES:
            found[f"type_{kind}_share"] = sums[f"type_{kind}"] / records
        for name, part, whole in (
            ("documents_uncited_share", "documents_uncited", sums["documents"]),
            ("empty_title_share", "empty_titles", sums["documents"]),
            ("document_tokens", "document_tokens_sum", sums["documents"]),
            ("document_characters", "document_characters_sum", sums["documents"]),
            ("multi_group_share", "multi_groups", sums["groups"]),
            ("cites_several_share", "cites_several", records),
            ("cited_to_the_end_share", "cited_to_the_end", answers),
            ("support_mean", "support_sum", sums["groups"]),
            ("high_share", "spans_high", sums["groups"]),
            ("low_share", "spans_low", sums["groups"]),
            ("uncited_mean", "uncited_sum", sums["spans_compared"]),
        ):
            if whole:
                found[name] = sums[part] / whole
        spans = sum(self._bins)
        if spans:
            found["support_median"] = self._middle(spans)
        return {name: round(value, 4) for name, value in found.items()}

    def _middle(self, spans: int) -> float:
        reached = 0
        for share, count in enumerate(self._bins):
            reached += count
            if 2 * reached >= spans:
                return share / _BINS
        return 1.0
