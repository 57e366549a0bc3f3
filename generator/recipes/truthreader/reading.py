"""Reading an item from its stored answers: course, citations, filters, record, verdicts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from generator.filters import Reason, Verdict
from generator.filters.codes import CodeInfo
from generator.filters.model import FilterResult
from generator.filters.truthreader import (
    TruthReaderFilterSettings,
    TruthReaderSample,
    answers_elsewhere,
    duplicate_question,
    judge_truthreader,
    new_question_index,
)
from generator.recipes.model import Candidate, CorpusJudge, Interpretation, Item
from generator.recipes.truthreader.content import Assignment, Source, from_content
from generator.recipes.truthreader.course import ANSWERER, JUDGE, Course, follow
from generator.recipes.truthreader.entailment import (
    Check,
    Verdicts,
    entailment,
    read_verdict,
    statements_of,
)
from generator.shapes import truthreader_record
from parsers.citations import (
    HIGH,
    Repair,
    Rewritten,
    normalise_citations,
    repair_citations,
    support,
)

ASSIGNMENT_CODES: Mapping[str, CodeInfo] = MappingProxyType(
    {
        "answered_elsewhere": CodeInfo(
            ("prepare",), "The gold is withheld, and a document that is shown answers the question."
        )
    }
)
"""Codes of this recipe's own steps; those of its filters are `TRUTHREADER_CODES`."""

CHECKS = "judge_checks"
"""The note of a candidate that holds what the judge was asked."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer in the published form, and the steps that made it from what the model said."""

    text: str
    steps: tuple[Rewritten, ...]
    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True, slots=True)
class TruthReaderReader:
    """Parser and filters of this recipe."""

    lang: str
    own: TruthReaderFilterSettings
    retries: int
    repair: bool

    def interpret(self, item: Item, candidate: Candidate) -> Interpretation:
        assignment = from_content(item.content)
        course = self.course(assignment, candidate)
        refused = tuple(Reason(r["stage"], r["code"], r["detail"]) for r in candidate.refused)
        reason = self.stopped(assignment, course)
        if refused or reason is not None or course.wanted is not None:
            return Interpretation(
                Verdict(False, refused or (reason or _unfinished(course),), _drawn(assignment)),
                parsed=_parsed(course) if course.question else None,
            )
        return self._judged(assignment, course, candidate)

    def corpus_judge(self) -> CorpusJudge | None:
        """Near-duplicate questions over the corpus; the first record keeps its question."""
        index = new_question_index(self.own)
        names: list[str] = []

        def judge(name: str, parsed: Mapping[str, Any]) -> FilterResult:
            asked = [str(parsed["question"])]
            matches = index.find(asked)
            found = duplicate_question(
                asked[0], matches, names[matches[0].dialogue] if matches else None
            )
            if not found.reasons or "duplicate_question" in self.own.off:
                index.remember(asked)
                names.append(name)
            return found

        return judge

    def course(self, assignment: Assignment, candidate: Candidate) -> Course:
        """How far the stored answers of asker and answerer lead."""
        answers = [answer for answer in candidate.answers if answer.role != JUDGE]
        return follow(assignment, answers, self.retries)

    def stopped(self, assignment: Assignment, course: Course) -> Reason | None:
        """Why nothing more is worth asking: a fault, or a question that is answered after all."""
        if course.fault is not None or not course.question or assignment.answerable:
            return course.fault
        if "answered_elsewhere" in self.own.off:
            return None
        gold = "\n".join(f"{source.title}\n{source.text}" for source in assignment.gold)
        found = answers_elsewhere(course.question, gold, _pairs(assignment.shown))
        if not found:
            return None
        named = assignment.shown[found[0]].title[:80]
        detail = f"document {found[0] + 1} (“{named}”) seems to answer: {course.question[:120]}"
        return Reason("prepare", "answered_elsewhere", detail)

    def answer_of(self, assignment: Assignment, answer: str) -> Answered:
        """The answer in the published form, repaired where that is asked for."""
        documents = _pairs(assignment.shown)
        normal = normalise_citations(answer, len(documents))
        if not self.repair:
            return Answered(normal.text, (normal,))
        repaired = repair_citations(normal.text, documents)
        return Answered(repaired.text, (normal, repaired), repaired.repairs)

    def _judged(
        self, assignment: Assignment, course: Course, candidate: Candidate
    ) -> Interpretation:
        answered = self.answer_of(assignment, course.answer)
        judged = judge_truthreader(
            TruthReaderSample(
                question=course.question,
                history=course.history,
                documents=_pairs(assignment.shown),
                answer=answered.text,
                gold=frozenset(number - 1 for number in assignment.gold_numbers),
                answerable=assignment.answerable,
                lang=self.lang,
                rewritings=answered.steps,
                raw_start=course.answer_start or 0,
            ),
            self.own,
        )
        reasons = judged.reasons
        if course.answer_start is None:
            # Something was taken out of the middle of what the model wrote: no place is known.
            reasons = tuple(replace(reason, span=None) for reason in reasons)
        measures = {
            **judged.measures,
            **_drawn(assignment),
            "normalised": len(answered.steps[0].changes),
            "repaired": len(answered.repairs),
            **({"repairs": _told(answered.repairs)} if answered.repairs else {}),
            "asked_again": course.asked_again,
            **self._entailment(answered.text, candidate, assignment),
        }
        record = truthreader_record(
            question=course.question,
            history=course.history,
            documents=_pairs(assignment.shown),
            answer=answered.text,
        )
        return Interpretation(
            Verdict(judged.accepted, reasons, measures),
            parsed=_parsed(course, answered.text),
            record=record,
            fingerprint=_fingerprint(course.question, answered.text),
            spans_in=course.answers - 1,
        )

    def _entailment(
        self, answer: str, candidate: Candidate, assignment: Assignment
    ) -> dict[str, Any]:
        """What the judge said of this very text; nothing where it was not asked."""
        verdicts = stored_verdicts(candidate)
        if not verdicts:
            return {}
        shown = assignment.shown
        statements = statements_of(answer, len(shown))
        lexical = {
            statement.text: support(
                statement.text, "\n".join(shown[number - 1].text for number in statement.numbers)
            )
            >= HIGH
            for statement in statements
            if statement.numbers
        }
        found = entailment(statements, verdicts, lexical)
        measures = {
            "judge_recall": found.recall,
            "judge_precision": found.precision,
            "judge_agreement": found.agreement,
            "judged_sentences": found.judged,
            "unclear_verdicts": found.unclear,
        }
        return {name: value for name, value in measures.items() if value is not None}


def stored_verdicts(candidate: Candidate) -> Verdicts:
    """What the judge was asked (in the candidate's notes) with what it answered."""
    asked = candidate.notes.get(CHECKS, ())
    given = [answer for answer in candidate.answers if answer.role == JUDGE]
    return {
        Check(check["statement"], tuple(check["documents"])): read_verdict(answer.text)
        for check, answer in zip(asked, given, strict=False)
    }


def checks_as_notes(checks: Sequence[Check]) -> list[dict[str, Any]]:
    """The checks as JSON, in the order in which the judge was asked."""
    return [{"statement": c.statement, "documents": list(c.documents)} for c in checks]


def _told(repairs: Sequence[Repair]) -> str:
    """Every repair in few words: the old markers, the new ones, the share that supports them."""
    return "; ".join(
        f"{list(repair.old)} → {list(repair.new)} ({repair.support:.2f})" for repair in repairs
    )


def _pairs(sources: Sequence[Source]) -> tuple[tuple[str, str], ...]:
    return tuple((source.title, source.text) for source in sources)


def _drawn(assignment: Assignment) -> dict[str, Any]:
    return {
        "documents": len(assignment.shown),
        "gold_documents": len(assignment.gold),
        "history_length": 2 * len(assignment.history),
        "drawn_type": assignment.question_type,
        "answerable": int(assignment.answerable),
    }


def _parsed(course: Course, answer: str = "") -> dict[str, Any]:
    return {
        "question": course.question,
        "history": list(course.history),
        "answer": answer or course.answer,
    }


def _unfinished(course: Course) -> Reason:
    step = course.wanted
    what = "answer" if step is not None and step.role == ANSWERER else "question"
    return Reason("turn", "cut_short", f"the calls end before the {what}")


def _fingerprint(question: str, answer: str) -> str:
    """One hash for records that say the same: white space and case make no difference."""
    said = "\0".join(" ".join(text.casefold().split()) for text in (question, answer))
    return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()
