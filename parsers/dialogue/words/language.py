"""The label words the default vocabulary knows, by language and by what they announce.

The words are what chat models write before an utterance when they are asked for a dialogue in
that language, collected from published prompts, corpora and interfaces. Spelling variants that
differ only in case, width or spacing need no entry of their own.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """Label words of one language (`language` is a BCP 47 tag, or a name for custom words).

    `person` and `bot` settle the role by themselves. `asker` and `teller` only suggest it: a
    professor may also quiz a student, so what the speakers really do weighs more. `speaker`
    words name a participant without any role. `narration` are scene and stage lines, `field` is
    what a script states at its head (title, place), `note` a closing or side remark. `header`
    counts the exchanges, `dialogue` announces a dialogue, `prompt` are fields of an instruction,
    and `topic` are words that head a list or a remark inside an utterance and are never speakers.
    """

    language: str
    person: tuple[str, ...] = ()
    bot: tuple[str, ...] = ()
    asker: tuple[str, ...] = ()
    teller: tuple[str, ...] = ()
    speaker: tuple[str, ...] = ()
    summary: tuple[str, ...] = ()
    question: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()
    narration: tuple[str, ...] = ()
    field: tuple[str, ...] = ()
    note: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    dialogue: tuple[str, ...] = ()
    prompt: tuple[str, ...] = ()
    topic: tuple[str, ...] = ()


def split_words(words: str) -> tuple[str, ...]:
    """The words of a list with commas."""
    return tuple(word.strip() for word in words.split(",") if word.strip())
