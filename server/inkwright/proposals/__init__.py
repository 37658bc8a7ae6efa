"""A model's rewrite as hunks that wait for the writer: made, guarded, placed, decided. No I/O."""

from inkwright.proposals.answer import SEPARATORS, Rewrite, read_answer
from inkwright.proposals.decide import Decision, accept, clean, landed, pending, reject, with_states
from inkwright.proposals.make import Made, make
from inkwright.proposals.names import Names
from inkwright.proposals.rebase import Rebased, rebase
from inkwright.proposals.windows import windows

__all__ = [
    "SEPARATORS",
    "Decision",
    "Made",
    "Names",
    "Rebased",
    "Rewrite",
    "accept",
    "clean",
    "landed",
    "make",
    "pending",
    "read_answer",
    "rebase",
    "reject",
    "windows",
    "with_states",
]
