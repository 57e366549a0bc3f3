"""Titled documents out of anything: what an answer may cite, with where it came from.

    with open("articles.jsonl", "rb") as stream:
        for one in read_documents(stream, name="articles.jsonl"):
            ...  # a TitledDocument, or a DocumentSkip that says what was wrong and where

Pure: bytes in, values out. Folders are walked by `generator.inputs`.
"""

from __future__ import annotations

from .model import DOCUMENT_CODES, DocumentSkip, TitledDocument
from .passages import passages
from .reading import read_documents

__all__ = ["DOCUMENT_CODES", "DocumentSkip", "TitledDocument", "passages", "read_documents"]
