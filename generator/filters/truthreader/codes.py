"""The reject codes of cited answers. `docs/reject-codes-truthreader.md` has examples."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from generator.filters.codes import CodeInfo

_FILTER = ("filter",)

TRUTHREADER_CODES: Mapping[str, CodeInfo] = MappingProxyType(
    {
        "empty_question": CodeInfo(_FILTER, "The question holds no word."),
        "short_question": CodeInfo(
            _FILTER, "The question is shorter than the band of its language."
        ),
        "overlong_question": CodeInfo(
            _FILTER, "The question is longer than the band of its language."
        ),
        "marker_in_question": CodeInfo(_FILTER, "The question holds a marker `[n]`."),
        "question_names_document": CodeInfo(
            _FILTER, "The question speaks of “the document”, “Document 2” or “the text above”."
        ),
        "dangling_question": CodeInfo(
            _FILTER, "Without a history, the question has a pronoun for nothing."
        ),
        "odd_history": CodeInfo(_FILTER, "The history has an odd number of strings."),
        "long_history": CodeInfo(_FILTER, "The history is longer than `max_history`."),
        "empty_history": CodeInfo(_FILTER, "A string of the history holds no word."),
        "marker_in_history": CodeInfo(_FILTER, "A string of the history holds a marker."),
        "document_count": CodeInfo(
            _FILTER, "There is no document, or there are more than `max_documents`."
        ),
        "empty_document": CodeInfo(_FILTER, "A document holds no text."),
        "empty_answer": CodeInfo(_FILTER, "The answer holds no word."),
        "short_answer": CodeInfo(_FILTER, "The answer is shorter than the band of its language."),
        "overlong_answer": CodeInfo(_FILTER, "The answer is longer than the band of its language."),
        "unfinished_answer": CodeInfo(_FILTER, "The answer stops where no sentence ends."),
        "loop": CodeInfo(_FILTER, "The answer goes round in circles."),
        "markup_residue": CodeInfo(_FILTER, "Markup or a model's control token is left."),
        "placeholder_text": CodeInfo(_FILTER, "A template slot was left unfilled."),
        "garbled_text": CodeInfo(_FILTER, "Control, replacement or half characters."),
        "label_residue": CodeInfo(_FILTER, "A heading of the prompt is left."),
        "speaks_as_model": CodeInfo(
            _FILTER, "The model declines the task, or speaks as a language model."
        ),
        "wrong_language": CodeInfo(_FILTER, "Written in another script than the language's."),
        "marker_out_of_range": CodeInfo(_FILTER, "A marker has a number that no document has."),
        "misplaced_marker": CodeInfo(
            _FILTER, "A marker stands behind a space, a closing mark, or at the beginning."
        ),
        "bracketed_number": CodeInfo(
            _FILTER, "A number in brackets is no citation, and reads like one."
        ),
        "citation_form": CodeInfo(_FILTER, "A citation is left in another form than `[n]`."),
        "document_named": CodeInfo(_FILTER, "The answer names a document by its number."),
        "reference_list": CodeInfo(_FILTER, "The answer ends in a list of references."),
        "no_marker": CodeInfo(_FILTER, "The answer is no refusal, and cites nothing."),
        "uncited_sentence": CodeInfo(
            _FILTER, "More than `max_uncited_sentences` sentences have no marker."
        ),
        "answered_without_gold": CodeInfo(
            _FILTER, "The documents lack the answer, and yet there is one."
        ),
        "refusal_with_gold": CodeInfo(_FILTER, "The documents hold the answer, and it refuses."),
        "refusal_with_marker": CodeInfo(_FILTER, "A refusal cites a document."),
        "refusal_without_apology": CodeInfo(_FILTER, "A refusal does not say sorry."),
        "refusal_without_reason": CodeInfo(_FILTER, "A refusal does not name what is missing."),
        "refusal_without_coverage": CodeInfo(
            _FILTER, "A refusal does not say what the documents are about."
        ),
        "ungrounded_span": CodeInfo(
            _FILTER, "A cited span has less than `min_span_support` of its words in what it cites."
        ),
        "weak_grounding": CodeInfo(
            _FILTER, "Fewer than `min_high_share` of the cited spans reach 0.65."
        ),
        "wrong_document": CodeInfo(
            _FILTER, "A document that is not cited has more of a span's content than the cited."
        ),
        "thin_margin": CodeInfo(
            _FILTER, "The cited documents have hardly more of the answer than the others."
        ),
        "idle_marker": CodeInfo(
            _FILTER, "A marker of a group of several adds nothing to what the others support."
        ),
        "gold_uncited": CodeInfo(_FILTER, "No document that the question was made from is cited."),
        "copied_document": CodeInfo(_FILTER, "The answer holds a whole document word for word."),
        "title_answers": CodeInfo(
            _FILTER, "The titles of the cited documents answer by themselves."
        ),
        "duplicate_question": CodeInfo(
            ("corpus",), "The question stands in an earlier record of the corpus."
        ),
    }
)
