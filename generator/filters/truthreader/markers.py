"""The markers of an answer: in range, in place, on every sentence, and in the one form."""

from __future__ import annotations

import re

from generator.filters.model import NOTHING_FOUND, FilterResult, Reason
from generator.filters.truthreader.sample import TruthReaderSample
from generator.filters.truthreader.settings import TruthReaderFilterSettings
from parsers.citations import is_connective, says_missing
from parsers.citations.protected import reference_list
from parsers.citations.surroundings import MARKS

_BRACKETED = re.compile(r"\[\d{1,4}\]")
_OTHER_FORM = re.compile(
    r"[【〔［]\s?\^?\d{1,3}[^】〕］\n]{0,20}[】〕］]|"
    r"\[\^?\s?(?:docs?|documents?|sources?|refs?|citations?|文档|资料)"
    r"[^\]\n]{0,30}\]|"
    r"\[\^\d{1,3}\]|†|\[citation needed\]|<sup>",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:documents?|docs?\.?|passages?|sources?) (?:no\. ?|number |#)?"
    r"(?:\[?\d{1,2}\]?|one|two|three|four)(?![\w%])"
    r"|\b(?:first|second|third|fourth|last) (?:document|passage|source)\b"
    "|(?:文档|文檔|资料|資料|文献|文獻|来源|來源) ?(?:第)?"
    r"(?:\[?[0-9]{1,2}\]?|[一二三四](?![个种些般定样]))"
    "|第[0-9一二三四][篇份个個](?:文档|文檔|资料|資料|文章)",
    re.IGNORECASE,
)


def markers(sample: TruthReaderSample, settings: TruthReaderFilterSettings) -> FilterResult:
    """Numbers that no document has, markers that stand wrong, other forms, ordinary brackets."""
    answer, count = sample.answer, len(sample.documents)
    reasons: list[Reason] = []
    for group in sample.groups:
        wrong = [number for number in group.numbers if not 1 <= number <= count]
        if wrong:
            place = sample.place(group.start, group.end)
            detail = f"cites [{wrong[0]}], but there are {count} documents"
            reasons.append(Reason("filter", "marker_out_of_range", detail, place))
            break
    for group in sample.groups:
        before = answer[group.start - 1 : group.start]
        if not before or before.isspace() or before in MARKS:
            place = sample.place(group.start, group.end)
            detail = f"{answer[group.start : group.end]} stands behind a space or a closing mark"
            reasons.append(Reason("filter", "misplaced_marker", detail, place))
            break
    known = {at for group in sample.groups for at in range(group.start, group.end)}
    for match in _BRACKETED.finditer(answer):
        if match.start() not in known:
            detail = f"{match.group()} is no citation, but every reader takes it for one"
            reasons.append(
                Reason("filter", "bracketed_number", detail, sample.place(*match.span()))
            )
            break
    reasons += _first(sample, _OTHER_FORM, "citation_form", "a citation in another form")
    reasons += _first(sample, _NAMED, "document_named", "a document named by its number")
    listed = reference_list(answer)
    if listed is not None:
        detail = "the answer ends in a list of references"
        reasons.append(Reason("filter", "reference_list", detail, sample.place(*listed)))
    measures = {
        "citation_groups": len(sample.groups),
        "multi_citation_groups": sum(len(group.numbers) > 1 for group in sample.groups),
        "documents_cited": len(sample.cited),
    }
    return FilterResult(tuple(reasons), measures)


def coverage(sample: TruthReaderSample, settings: TruthReaderFilterSettings) -> FilterResult:
    """Every sentence that claims something has a marker; an answer has at least one."""
    if sample.refuses or not sample.answer_tokens:
        return NOTHING_FOUND
    claims = [
        sentence
        for sentence in sample.sentences
        if not is_connective(sentence.text) and not says_missing(sentence.text)
    ]
    bare = [sentence for sentence in claims if not sentence.numbers]
    measures = {"sentences": len(sample.sentences), "uncited_sentences": len(bare)}
    if not sample.groups:
        reason = Reason("filter", "no_marker", "the answer cites nothing")
        return FilterResult((reason,), measures)
    if len(bare) <= settings.max_uncited_sentences:
        return FilterResult((), measures)
    first = bare[0]
    detail = (
        f"{len(bare)} of {len(claims)} sentences have no marker, at most "
        f"{settings.max_uncited_sentences}; “{first.text[:80]}”"
    )
    place = sample.place(first.start, first.end)
    return FilterResult((Reason("filter", "uncited_sentence", detail, place),), measures)


def _first(
    sample: TruthReaderSample, pattern: re.Pattern[str], code: str, what: str
) -> list[Reason]:
    match = pattern.search(sample.answer)
    if match is None:
        return []
    detail = f"{what}: “{match.group()[:60]}”"
    return [Reason("filter", code, detail, sample.place(*match.span()))]
