"""A local server fast enough to load the quickest client, and papers its answers are about.

A raw asyncio protocol in a process of its own: 0.03 to 0.05 ms a request. It counts what it
answers, so that a benchmark need not believe a client: `GET /stats` gives calls, the moments of the
first prompt and the last answer on the machine's own clock, and the most requests that were open
at once; `GET /reset` too, and begins anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from served_answers import MODEL, TEXTS, Answers, numbered_text, texts_and_dialogues

from generator.calling.open_files import ensure_open_files

__all__ = ["MODEL", "TEXTS", "serving", "write_papers"]

NO_PROMPT = b'"messages": []'
"""Curator asks this once for the limits in the headers, before it prepares its work."""

HEADINGS = ("Introduction", "Methods", "Experiments", "Results", "Related Work")


def write_papers(path: Path, segments: int, first: int = 0) -> None:
    """Papers of at least this many segments together, four or five a paper, no two alike."""
    texts = texts_and_dialogues()
    with path.open("w", encoding="utf-8") as file:
        for start in range(first, first + segments * 5 // 4 + 5, len(HEADINGS)):
            sections = [
                {"heading": heading, "text": numbered_text(number, texts)}
                for number, heading in enumerate(HEADINGS, start)
            ]
            paper = {"title": f"Title {start}", "abstract": "", "sections": sections,
                     "references": []}  # fmt: skip
            file.write(json.dumps(paper) + "\n")


class Counts:
    """What was asked of the server since the last reset."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.calls = self.open = self.most_open = 0
        self.first = self.last = 0.0

    def arrived(self, body: bytes) -> None:
        if not self.first and NO_PROMPT not in body:
            self.first = time.monotonic()
        self.open += 1
        self.most_open = max(self.most_open, self.open)

    def answered(self) -> None:
        self.open -= 1
        self.calls += 1
        self.last = time.monotonic()

    def to_json(self) -> bytes:
        counts = {"calls": self.calls, "most": self.most_open, "first": self.first,
                  "last": self.last}  # fmt: skip
        return json.dumps(counts).encode()


class Answering(asyncio.Protocol):
    """Keep-alive HTTP with Content-Length; latency in ms is the first part of the path."""

    def __init__(self, answers: Answers, counts: Counts) -> None:
        self._answers = answers
        self._counts = counts
        self._got = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._got += data
        while (end := self._got.find(b"\r\n\r\n")) >= 0:
            head = self._got[:end].lower()
            if head.startswith(b"get "):
                self._got = self._got[end + 4 :]
                self._get(head.split(b" ", 2)[1])
                continue
            at = head.index(b"content-length:") + 15
            length = int(head[at:].split(b"\r\n", 1)[0])
            if len(self._got) < end + 4 + length:
                return
            body = self._got[end + 4 : end + 4 + length]
            self._got = self._got[end + 4 + length :]
            latency_s = int(head.split(b"/", 2)[1]) / 1000
            self._counts.arrived(body)
            if latency_s:
                asyncio.get_running_loop().call_later(latency_s, self._answer, body)
            else:
                self._answer(body)

    def _get(self, path: bytes) -> None:
        self._write(self._counts.to_json())
        if path == b"/reset":
            self._counts.reset()

    def _answer(self, body: bytes) -> None:
        self._counts.answered()
        self._write(self._answers.to(body))

    def _write(self, content: bytes) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        self._transport.write(head % len(content) + content)


def serve() -> None:
    """The server process: prints its port, and answers until it is ended."""
    answers, counts = Answers(), Counts()

    async def main() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: Answering(answers, counts), "127.0.0.1", 0, backlog=4096
        )
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    ensure_open_files(2000)
    with contextlib.suppress(ImportError, KeyboardInterrupt):
        import uvloop

        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """The address of the server up to the latency: `{address}/200/v1` is a base URL."""
    process = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


if __name__ == "__main__":
    serve()
