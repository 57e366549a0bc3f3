"""The form of an answer: its length, language and end, and what the prompt left in it."""

from __future__ import annotations

import re

from generator.filters.model import FilterResult, Measure, Reason, only, rounded
from generator.filters.residue import find_residue
from generator.filters.truthreader.sample import TruthReaderSample
from generator.filters.truthreader.settings import TruthReaderFilterSettings
from parsers.citations import is_refusal
from parsers.sentences import sentence_spans
from parsers.text.refusals import is_declining
from parsers.text.repetition import loop_share
from parsers.text.scripts import has_han, has_latin
from parsers.text.tokens import tokens

_NAMES = {"en": "English", "zh": "Chinese"}
_ENDED = "。！？．｡…؟۔।॥.!?"
_CLOSERS = " \t\n\"'”’»)）]］】」』》*_`|"
_LIST_LINE = re.compile(r"\s*(?:[-*•·]|\d{1,3}[.)、）]|[(（]\d{1,3}[)）]|\|)")
_MARKER = re.compile(r"\[\d{1,3}\]")
_LABEL = re.compile(
    r"(?:\A|\n)[ \t*_#>-]{0,6}(?:(?:final |your |my )?(?:answer|response|question|documents?|title|"
    r"history|instructions?|assistant|user|system|note to self)|"
    r"回答|答案|答|问题|問題|文档|文檔|资料|資料|"
    r"标题|標題|助手|用户|用戶|系统|系統)[ \t]?\d{0,2}[*_]{0,2}[ \t]?[:：]",
    re.IGNORECASE,
)


def form(sample: TruthReaderSample, settings: TruthReaderFilterSettings) -> FilterResult:
    """Documents that can be cited, an answer of some length that comes to an end."""
    reasons: list[Reason] = []
    length = len(sample.answer_tokens)
    measures: dict[str, Measure] = {
        "documents": len(sample.documents),
        "answer_tokens": length,
        "answer_characters": len(sample.answer),
    }
    if not 1 <= len(sample.documents) <= settings.max_documents:
        detail = f"{len(sample.documents)} documents, from 1 to {settings.max_documents}"
        reasons.append(Reason("filter", "document_count", detail))
    for index, (_, text) in enumerate(sample.documents):
        if not text.strip():
            detail = f"document {index + 1} holds no text"
            reasons.append(Reason("filter", "empty_document", detail))
            break
    if not length:
        reasons.append(Reason("filter", "empty_answer", "the answer holds no word"))
        return FilterResult(tuple(reasons), measures)
    fewest, most = settings.answer_tokens(sample.lang)
    if length < fewest:
        detail = f"the answer has {length} tokens, at least {fewest}"
        reasons.append(Reason("filter", "short_answer", detail))
    if length > most:
        detail = f"the answer has {length} tokens, at most {most}"
        reasons.append(Reason("filter", "overlong_answer", detail))
    if not _is_finished(sample.answer):
        end = len(sample.answer.rstrip())
        shown = sample.answer[max(0, end - 30) : end]
        place = sample.place(max(0, end - 30), end)
        detail = f"the answer ends in the middle: “…{shown}”"
        reasons.append(Reason("filter", "unfinished_answer", detail, place))
    share = loop_share(sample.answer_tokens, 10 if sample.lang == "zh" else 6)
    measures["answer_loop_share"] = rounded(share)
    if share > settings.max_loop_share:
        detail = f"{share:.0%} of the sequences are repeats, at most {settings.max_loop_share:.0%}"
        reasons.append(Reason("filter", "loop", detail))
    return FilterResult(tuple(reasons), measures)


def residue(sample: TruthReaderSample, settings: TruthReaderFilterSettings) -> FilterResult:
    """Headings of the prompt, markup, unfilled slots, broken characters; a model's own voice."""
    reasons: dict[str, Reason] = {}
    for name, text in (("question", sample.question), ("answer", sample.answer)):
        answers = name == "answer"
        found = [(code, *span) for code, span in find_residue(text)]
        label = _LABEL.search(text)
        if label is not None:
            found.append(("label_residue", *label.span()))
        if is_declining(text) and not (answers and is_refusal(text)):
            found.append(("speaks_as_model", 0, min(len(text), 80)))
        for code, start, end in found:
            if code in reasons:
                continue
            shown = text[start:end].strip()
            if code == "garbled_text":
                shown = shown.encode("unicode_escape").decode()
            place = sample.place(start, end) if answers else None
            reasons[code] = Reason("filter", code, f"the {name} holds “{shown}”", place)
    return FilterResult(tuple(reasons.values()))


def language(sample: TruthReaderSample, settings: TruthReaderFilterSettings) -> FilterResult:
    """Question and answer are mostly, and each long sentence at least a little, in the language.

    Knows "en" (Latin words) and "zh" (Han characters); any other language passes.
    """
    if sample.lang not in _NAMES:
        return FilterResult()
    name = _NAMES[sample.lang]
    for what, text in (("question", sample.question), ("answer", sample.plain_answer)):
        words, right = _words(text, sample.lang)
        if words >= settings.min_language_tokens and right < settings.min_language_share * words:
            detail = f"only {right / words:.0%} of the {what} is in the script of {name}"
            return only(Reason("filter", "wrong_language", detail))
    for start, end in sentence_spans(sample.answer):
        words, right = _words(sample.answer[start:end], sample.lang)
        if words >= settings.min_language_tokens and not right:
            detail = f"a sentence has no letter of the script of {name}"
            return only(Reason("filter", "wrong_language", detail, sample.place(start, end)))
    return FilterResult()


def _words(text: str, lang: str) -> tuple[int, int]:
    """Tokens with a letter, and those of the language's script."""
    found = [token for token in tokens(text) if not token.isdigit()]
    is_right = has_han if lang == "zh" else has_latin
    return len(found), sum(map(is_right, found))


def _is_finished(answer: str) -> bool:
    said = _MARKER.sub("", answer).rstrip(_CLOSERS)
    if said.endswith(tuple(_ENDED)):
        return True
    last = answer.rstrip().rsplit("\n", 1)[-1]
    return "\n" in answer.strip() and _LIST_LINE.match(last) is not None
