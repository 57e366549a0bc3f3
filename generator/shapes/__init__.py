"""Output shapes: exact builders and validators for the records that the ecosystem reads."""

from __future__ import annotations

from generator.shapes.averitec import averitec_record, check_averitec
from generator.shapes.dump import dump_line, dump_record
from generator.shapes.paperpersichat import check_paperpersichat, paperpersichat_record
from generator.shapes.truthreader import check_truthreader, truthreader_record
from generator.shapes.validate import SHAPES, Problem, validate_file

__all__ = [
    "SHAPES",
    "Problem",
    "averitec_record",
    "check_averitec",
    "check_paperpersichat",
    "check_truthreader",
    "dump_line",
    "dump_record",
    "paperpersichat_record",
    "truthreader_record",
    "validate_file",
]
