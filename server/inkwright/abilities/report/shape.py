"""The report as JSON."""

from __future__ import annotations

from typing import Any

from inkwright.abilities import shapes
from inkwright.abilities.report.figures import Report, middle, share
from inkwright.domain.conversation import Locale


def shape(report: Report, locale: Locale) -> dict[str, Any]:
    """{book, rule, totals, volumes, chapters, cast, threads, checks, problems}; `dialogue` is a share from 0 to 1,
    chapters are named by their paths, `checks` is null where nothing was checked.
    """
    paths = [row.path for row in report.chapters]
    lengths = [report.length(row) for row in report.chapters]
    scenes = [length for row in report.chapters for length in row.scenes]
    return {
        "book": {
            "root": report.book.root,
            "title": report.book.title,
            "type": report.book.type,
            "language": report.book.language,
        },
        "rule": report.rule,
        "totals": {
            "chapters": len(lengths),
            "length": sum(lengths),
            "scenes": len(scenes),
            "dialogue": round(share(report.chapters), 4),
            "medianChapter": middle(lengths),
            "medianScene": middle(scenes),
        },
        "volumes": [
            {
                "name": name,
                "chapters": len(rows),
                "length": sum(report.length(row) for row in rows),
                "scenes": sum(len(row.scenes) for row in rows),
                "dialogue": round(share(rows), 4),
            }
            for name, rows in report.volumes
        ],
        "chapters": [
            {
                "path": row.path,
                "title": row.title,
                "volume": row.volume,
                "number": row.number,
                "counts": shapes.counts(row.counts),
                "scenes": list(row.scenes),
                "dialogue": round(share([row]), 4),
                "diagnostics": dict(row.found) if report.checked else None,
                "unread": row.unread or None,
            }
            for row in report.chapters
        ],
        "cast": [
            {
                "card": row.card,
                "name": row.name,
                "mentions": row.total,
                "chapters": {paths[at]: n for at, n in sorted(row.mentions.items())},
            }
            for row in report.cast
        ],
        "threads": [
            {
                "name": thread.name,
                "standing": thread.standing,
                "planted": [paths[at] for at in thread.planted],
                "progress": [paths[at] for at in thread.progress],
                "paid": [paths[at] for at in thread.paid],
                "due": thread.due_said or (paths[thread.due] if thread.due is not None else None),
            }
            for thread in report.threads
        ],
        "checks": [
            {"code": row.code, "severity": row.severity, "count": row.count, "message": row.example}
            for row in report.codes
        ]
        if report.checked
        else None,
        "problems": [shapes.problem(problem, locale) for problem in report.problems],
    }
