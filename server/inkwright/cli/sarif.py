"""The results of a check as SARIF 2.1.0, as code hosts read it.

Lines and columns count from 1, columns in UTF-16; paths are relative references, percent-encoded. A result's
fingerprint is made of its file, its code and what it says, so that it is the same after edits elsewhere.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

from inkwright import __version__

JSON = dict[str, Any]
LEVEL = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "inkwright/v1"
ROOT = "SRCROOT"
_DRIVE = re.compile("[A-Za-z]:/")


def log(files: Sequence[JSON], problems: Sequence[JSON], about: Callable[[str], tuple[str, str]]) -> JSON:
    """`files` as the command's JSON has them; `problems` are what could not be checked. `about` gives what a rule
    says in general, and an example.
    """
    rules = _rules(files, about)
    index = {rule["id"]: i for i, rule in enumerate(rules)}
    run: JSON = {
        "tool": {
            "driver": {
                "name": "inkwright",
                "semanticVersion": __version__,
                "version": __version__,
                "rules": rules,
            }
        },
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The folder of the check."}}},
        "invocations": [
            {
                "executionSuccessful": not problems,
                "toolExecutionNotifications": [
                    {
                        "level": "warning",
                        "descriptor": {"id": problem["code"]},
                        "message": {"text": problem["message"]},
                        "locations": [
                            {
                                "physicalLocation": {
                                    "artifactLocation": _artifact(problem["path"]),
                                    "region": {"startLine": problem["line"] + 1},
                                }
                            }
                        ],
                    }
                    for problem in problems
                ],
            }
        ],
        "results": [
            result for file in files for result in _results(file["path"], file["diagnostics"], index)
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _results(path: str, diagnostics: Sequence[JSON], index: dict[str, int]) -> list[JSON]:
    out: list[JSON] = []
    seen: dict[str, int] = {}
    for one in diagnostics:
        print_ = _print(path, one)
        seen[print_] = seen.get(print_, 0) + 1
        result: JSON = {
            "ruleId": one["code"],
            "ruleIndex": index[one["code"]],
            "level": LEVEL[one["severity"]],
            "message": {"text": one["message"]},
            "locations": [_location(path, one["range"])],
            "partialFingerprints": {FINGERPRINT: f"{print_}:{seen[print_]}"},
        }
        if related := one.get("related"):
            result["relatedLocations"] = [
                {"id": i, **_location(place["path"], place["range"]), "message": {"text": place["message"]}}
                for i, place in enumerate(related, 1)
            ]
        if one["fix"] is not None:
            result["fixes"] = [_fix(path, one["fix"], one["message"])]
        out.append(result)
    return out


def _rules(files: Sequence[JSON], about: Callable[[str], tuple[str, str]]) -> list[JSON]:
    """A rule for each code that stands in the results."""
    first: dict[str, JSON] = {}
    for file in files:
        for one in file["diagnostics"]:
            first.setdefault(one["code"], one)
    out: list[JSON] = []
    for code, one in sorted(first.items()):
        said, example = about(code)
        out.append(
            {
                "id": code,
                "name": "".join(part.capitalize() for part in code.replace("_", "-").split("-")),
                "shortDescription": {"text": said},
                "fullDescription": {"text": said},
                "help": {"text": f"{said}\n{example}".strip()},
                "defaultConfiguration": {"level": LEVEL[one["severity"]]},
            }
        )
    return out


def _fix(path: str, fix: JSON, message: str) -> JSON:
    replacement = {"deletedRegion": _region(fix["range"]), "insertedContent": {"text": fix["newText"]}}
    return {
        "description": {"text": message},
        "artifactChanges": [{"artifactLocation": _artifact(path), "replacements": [replacement]}],
    }


def _location(path: str, where: JSON) -> JSON:
    return {"physicalLocation": {"artifactLocation": _artifact(path), "region": _region(where)}}


def _artifact(path: str) -> JSON:
    """A relative reference; a path that is none goes from the root of the disk."""
    if path.startswith("/"):
        return {"uri": "file://" + quote(path)}
    if _DRIVE.match(path):
        return {"uri": f"file:///{path[:2]}{quote(path[2:])}"}
    return {"uri": quote(path), "uriBaseId": ROOT}


def _region(where: JSON) -> JSON:
    start, end = where["start"], where["end"]
    return {
        "startLine": start["line"] + 1,
        "startColumn": start["character"] + 1,
        "endLine": end["line"] + 1,
        "endColumn": end["character"] + 1,
    }


def _print(path: str, one: JSON) -> str:
    said = "\0".join((path, one["code"], one["message"]))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]
