"""What the fast server answers: a dialogue in one call, or one turn of a talk, by the prompt.

Each answer is about one of a few seeded texts; `@N@` in it stands for the number of the paper,
which the server copies from the request. So every dialogue is another, and can be told from all
others, at no cost of time.
"""

from __future__ import annotations

import json
import random
import re

from material import raw_dialogue, segment

MODEL = "bench"
TEXTS = 50
ROUNDS = 4
DIALOGUE, SUMMARY, PERSON, BOT, STRUCTURED = "dialogue", "summary", "person", "bot", "structured"
PROMPTS = (
    (b"bench-structured", STRUCTURED),
    (b"asking short questions", PERSON),
    (b"briefly answer the questions", BOT),
    (b"short summary of the following text", SUMMARY),
)
"""What stands in a request for each kind of answer; all others get a dialogue as text. The first
is a model name: SDialog wants its dialogue as a JSON object. One model plays every role, so that
all tools hold to one limit of requests in flight."""

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


def _body(content: str) -> tuple[bytes, ...]:
    """A chat completion, cut where the number of the paper belongs."""
    message = {"role": "assistant", "content": content}
    answer = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 600, "completion_tokens": 300, "total_tokens": 900},
    }
    return tuple(json.dumps(answer).encode().split(b"@N@"))


class Answers:
    """Answers by the body of the request; every one is made beforehand."""

    _number = re.compile(rb"[Pp]aper (\d+)")

    def __init__(self) -> None:
        self._bodies: dict[str, list[list[tuple[bytes, ...]]]] = {}
        for text, dialogue in texts_and_dialogues():
            summary, questions, answers = _talk(text)
            for kind, contents in (
                (DIALOGUE, [dialogue]),
                (SUMMARY, [summary]),
                (PERSON, questions),
                (BOT, answers),
                (STRUCTURED, [_structured(text)]),
            ):
                self._bodies.setdefault(kind, []).append([_body(content) for content in contents])

    def to(self, request: bytes) -> bytes:
        """The body of the answer to a chat request."""
        kind = next((kind for mark, kind in PROMPTS if mark in request), DIALOGUE)
        found = self._number.search(request)
        number = found[1] if found else b"0"
        turns = self._bodies[kind][int(number) % TEXTS]
        if len(turns) == 1:
            return number.join(turns[0])
        asked = request.count(QUESTION_MARK)
        return number.join(turns[(asked if kind == PERSON else asked - 1) % ROUNDS])
