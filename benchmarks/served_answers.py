"""What the fast server answers: a dialogue in one call, or one turn of a talk, by model name.

Each answer is about one of a few seeded texts; `@N@` in it stands for the number of the paper,
which the server copies from the request. So every dialogue is another, and can be told from all
others, at no cost of time.
"""

from __future__ import annotations

import json
import random
import re

from material import raw_dialogue, segment

TEXTS = 50
ROUNDS = 4
DIALOGUE, SUMMARIZER, PERSON, BOT, STRUCTURED = (
    "bench",
    "bench-summarizer",
    "bench-person",
    "bench-bot",
    "bench-structured",
)
"""Model names: a whole dialogue as text; one role's turn; a dialogue as SDialog's JSON object."""

QUESTION_MARK = b"what does it say about"
"""Stands in every question of a talk, so that the server can tell which turn is asked for."""


def texts_and_dialogues() -> list[tuple[str, str]]:
    """Segments, and a dialogue about each; `@N@` stands for the number of the paper."""
    rng = random.Random(11)
    pairs = []
    for _ in range(TEXTS):
        text = segment(rng, 1600)
        raw = raw_dialogue(rng, text)
        pairs.append((text, raw.replace("What does", "In paper @N@, what does", 1)))
    return pairs


def numbered_text(number: int, texts: list[tuple[str, str]]) -> str:
    """The segment that paper `number` holds."""
    return f"This is paper {number}. {texts[number % TEXTS][0]}"


def _sentences(text: str) -> list[str]:
    return [f"{sentence.rstrip('.')}." for sentence in text.split(". ") if sentence]


def _talk(text: str) -> tuple[str, list[str], list[str]]:
    """Summary, questions and answers of a talk about `text`."""
    sentences = _sentences(text)
    summary = " ".join(["It is paper @N@.", *sentences[1::3]])
    words = [word for word in re.findall(r"[a-z]{5,}", summary.lower()) if word != "paper"]
    asked = list(dict.fromkeys(words))
    step = len(asked) // ROUNDS
    questions = [
        f"In paper @N@, what does it say about {' '.join(asked[turn * step : turn * step + 3])}?"
        for turn in range(ROUNDS)
    ]
    return summary, questions, [sentences[turn * 3 % len(sentences)] for turn in range(ROUNDS)]


def _structured(text: str) -> str:
    """The dialogue object that SDialog asks its model for."""
    _, questions, answers = _talk(text)
    turns = []
    for question, answer in zip(questions, answers, strict=True):
        turns += [{"speaker": "Person", "text": question}, {"speaker": "Bot", "text": answer}]
    return json.dumps({"title": "Paper @N@", "dialog": turns})


def _body(model: str, content: str) -> tuple[bytes, ...]:
    """A chat completion, cut where the number of the paper belongs."""
    answer = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 600, "completion_tokens": 300, "total_tokens": 900},
    }
    return tuple(json.dumps(answer).encode().split(b"@N@"))


class Answers:
    """Answers by the body of the request; every one is made beforehand."""

    _number = re.compile(rb"[Pp]aper (\d+)")
    _model = re.compile(rb'"model": ?"([\w-]+)"')

    def __init__(self) -> None:
        self._bodies: dict[bytes, list[list[tuple[bytes, ...]]]] = {}
        for text, dialogue in texts_and_dialogues():
            summary, questions, answers = _talk(text)
            for model, contents in (
                (DIALOGUE, [dialogue]),
                (SUMMARIZER, [summary]),
                (PERSON, questions),
                (BOT, answers),
                (STRUCTURED, [_structured(text)]),
            ):
                made = [_body(model, content) for content in contents]
                self._bodies.setdefault(model.encode(), []).append(made)

    def to(self, request: bytes) -> bytes:
        """The body of the answer; an unknown model name gets a dialogue."""
        found = self._number.search(request)
        number = found[1] if found else b"0"
        named = self._model.search(request)
        model = named[1] if named else b""
        by_text = self._bodies.get(model) or self._bodies[DIALOGUE.encode()]
        turns = by_text[int(number) % TEXTS]
        if len(turns) == 1:
            return number.join(turns[0])
        asked = request.count(QUESTION_MARK)
        turn = asked if model == PERSON.encode() else asked - 1
        return number.join(turns[turn % ROUNDS])
