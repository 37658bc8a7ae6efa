"""The names that clients and server agree on. Clients carry the same lists and a test compares them."""

from __future__ import annotations

from typing import Final, Literal

SECTION: Final = "inkwright"
"""The settings section, asked for through workspace/configuration."""

COMMANDS: Final = (
    "inkwright.runAbility",
    "inkwright.runPipeline",
    "inkwright.cancelRun",
    "inkwright.listProfiles",
    "inkwright.createProfile",
    "inkwright.listProposals",
    "inkwright.acceptProposal",
    "inkwright.rejectProposal",
    "inkwright.showContext",
    "inkwright.createBook",
    "inkwright.getBook",
    "inkwright.updateBook",
    "inkwright.createChapter",
    "inkwright.createCard",
    "inkwright.listCards",
    "inkwright.listCandidates",
    "inkwright.acceptCandidates",
    "inkwright.rejectCandidates",
    "inkwright.showCandidates",
    "inkwright.getSummary",
    "inkwright.search",
    "inkwright.listMemories",
    "inkwright.addMemory",
    "inkwright.updateMemory",
    "inkwright.deleteMemory",
    "inkwright.clearMemories",
    "inkwright.listRuns",
    "inkwright.getRun",
    "inkwright.listModels",
    "inkwright.testModel",
    "inkwright.listEndpointModels",
    "inkwright.setSecret",
    "inkwright.forgetSecret",
    "inkwright.usage",
    "inkwright.describeImage",
    "inkwright.stats",
    "inkwright.threads",
    "inkwright.report",
    "inkwright.moveChapter",
    "inkwright.intend",
    "inkwright.listIntended",
    "inkwright.unintend",
)
"""workspace/executeCommand; each takes one object (or nothing) and gives one JSON value."""

StreamEvent = Literal["chunk", "reasoning", "tool", "step", "usage", "done", "error", "cancelled"]
"""`event` of a `$/progress` value `{event, data, requestId}`; the last three end the stream."""

TERMINAL: Final = frozenset({"done", "error", "cancelled"})
