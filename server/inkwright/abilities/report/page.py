"""The report as one Markdown page."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from datetime import datetime

from inkwright.abilities.report.figures import (
    SEVERITIES,
    CastRow,
    ChapterRow,
    Report,
    middle,
    share,
    stretches,
)
from inkwright.abilities.report.heat import heat_map
from inkwright.abilities.report.writing import link, plain, table
from inkwright.domain.conversation import Locale
from inkwright.i18n import listed, tr
from inkwright.manuscript.leaf import REPORT

MARK = REPORT
"""The first line of every report: what bears it may be written over by the next one."""
MAIN_CAST = 12
_HEAT = "heat-map"
_ROWS = 60
_WORST = 10
_THREADS = 100
_PROBLEMS = 50

Link = Callable[[str], str]


def page(report: Report, locale: Locale, *, now: datetime, to: Link = lambda _: "", picture: str = "") -> str:
    """Markdown that renders anywhere. `to` gives a link's target for a path of the book, '' for none; `picture` is
    where the heat map stands, '' puts it into the page itself.
    """
    return _Page(report, locale, to).text(now, picture)


class _Page:
    def __init__(self, report: Report, locale: Locale, to: Link) -> None:
        self.report = report
        self.locale = locale
        self.to = to
        self.out: list[str] = []
        self.end = ""

    def text(self, now: datetime, picture: str) -> str:
        report = self.report
        self.say(MARK, f"# {plain(self.tr('report_of', title=report.book.title))}", "")
        self.say(f"{now:%Y-%m-%d %H:%M} · {self.tr(f'report_rule_{report.rule}')}", "")
        if not report.chapters:
            self.say(self.tr("report_empty"), "")
        else:
            self._sums()
            self._volumes()
            self._pace()
            self._chapters()
            self._cast(picture)
            self._threads()
            self._checks()
        self._problems()
        return "\n".join(self.out).rstrip("\n") + "\n" + self.end

    def tr(self, code: str, **params: object) -> str:
        return tr(code, self.locale, params)

    def say(self, *lines: str) -> None:
        self.out += lines

    def head(self, code: str) -> None:
        self.say(f"## {self.tr(code)}", "")

    def columns(self, *codes: str) -> list[str]:
        return [self.tr(f"report_col_{code}") for code in codes]

    def chapter(self, at: int) -> str:
        row = self.report.chapters[at]
        return link(row.title, self.to(row.path))

    # -- the parts of the page ---------------------------------------------------------------

    def _sums(self) -> None:
        report = self.report
        lengths = [report.length(row) for row in report.chapters]
        scenes = [length for row in report.chapters for length in row.scenes]
        self.say(
            self.tr(
                "report_sums",
                total=f"{sum(lengths):,}",
                chapters=f"{len(lengths):,}",
                volumes=len([name for name, _ in report.volumes if name]),
                scenes=f"{len(scenes):,}",
                spoken=_percent(share(report.chapters)),
                cast=len(report.cast),
            ),
            "",
        )

    def _volumes(self) -> None:
        volumes = self.report.volumes
        if len(volumes) < 2:
            return
        self.head("report_volumes")
        rows = []
        for name, chapters in volumes:
            lengths = [self.report.length(row) for row in chapters]
            scenes = sum(len(row.scenes) for row in chapters)
            rows.append(
                [
                    plain(name) or self.tr("report_no_volume"),
                    str(len(chapters)),
                    f"{sum(lengths):,}",
                    f"{middle(lengths):,}",
                    str(scenes),
                    _percent(share(chapters)),
                ]
            )
        head = self.columns("volume", "chapters", "length", "middle", "scenes", "spoken")
        self.say(*table(head, rows, frozenset({1, 2, 3, 4, 5})))

    def _pace(self) -> None:
        report = self.report
        self.head("report_pace")
        lengths = [report.length(row) for row in report.chapters]
        scenes = [length for row in report.chapters for length in row.scenes]
        head = self.columns("what", "shortest", "middle", "longest")
        rows = [
            [self.tr(code), f"{min(values):,}", f"{middle(values):,}", f"{max(values):,}"]
            for code, values in (("report_chapter_length", lengths), ("report_scene_length", scenes))
            if values
        ]
        self.say(*table(head, rows, frozenset({1, 2, 3})))
        usual = middle(lengths)
        for code, odd in (
            ("report_long", [at for at, n in enumerate(lengths) if usual and n > 2 * usual]),
            ("report_short", [at for at, n in enumerate(lengths) if usual and n < usual / 2]),
        ):
            if odd:
                order = sorted(odd, key=lambda at: abs(lengths[at] - usual), reverse=True)[:_WORST]
                names = listed((f"{self.chapter(at)} ({lengths[at]:,})" for at in order), self.locale)
                self.say(f"- {self.tr(code, count=len(odd))}{names}{self._more(len(odd) - len(order))}")
        self.say("")

    def _chapters(self) -> None:
        report = self.report
        self.head("report_chapters")
        here = [0] * len(report.chapters)
        for person in report.cast:
            for at in person.mentions:
                here[at] += 1
        head = self.columns("number", "chapter", "volume", "length", "scenes", "mean_scene", "spoken", "cast")
        rows = [self._chapter_row(at, row, here[at]) for at, row in enumerate(report.chapters)]
        self.say(*table(head, rows, frozenset({0, 3, 4, 5, 6, 7})))

    def _chapter_row(self, at: int, row: ChapterRow, cast: int) -> list[str]:
        length = self.report.length(row)
        mean = f"{round(sum(row.scenes) / len(row.scenes)):,}" if row.scenes else "–"
        spoken = self.tr("report_unread") if row.unread else _percent(share([row]))
        return [
            str(at + 1),
            self.chapter(at),
            plain(row.volume),
            f"{length:,}",
            str(len(row.scenes)),
            mean,
            spoken,
            str(cast),
        ]

    def _cast(self, picture: str) -> None:
        report = self.report
        self.head("report_cast")
        main = report.cast[:MAIN_CAST]
        if not main:
            self.say(self.tr("report_no_cast"), "")
            return
        if not picture:  # its data stand at the end of the page, out of a reader's way
            self.end = f"\n[{_HEAT}]: {_inline(heat_map(report, main, self.locale))}\n"
        target = f"({picture})" if picture else f"[{_HEAT}]"
        self.say(f"![{plain(self.tr('report_heat_title', title=report.book.title))}]{target}", "")
        self.say(self.tr("report_heat_read"), "")
        head = self.columns("name", "mentions", "in_chapters", "first", "last")
        rows = [
            [
                link(person.name, self.to(person.card.partition("#")[0])),
                f"{person.total:,}",
                str(len(person.mentions)),
                self.chapter(min(person.mentions)),
                self.chapter(max(person.mentions)),
            ]
            for person in main
        ]
        self.say(*table(head, rows, frozenset({1, 2})))
        if len(report.cast) > len(main):
            self.say(self.tr("report_more_cast", count=len(report.cast) - len(main)), "")
        self._cast_by_chapter(main)

    def _cast_by_chapter(self, main: Sequence[CastRow]) -> None:
        columns = stretches(len(self.report.chapters), _ROWS)
        self.say(f"### {self.tr('report_cast_by_chapter')}", "")
        rows = []
        for column in columns:
            name = self.chapter(column.start) if len(column) == 1 else f"{column.start + 1}–{column.stop}"
            sums = [sum(person.mentions.get(at, 0) for at in column) for person in main]
            rows.append([name, *(str(n) if n else "·" for n in sums)])
        head = [self.tr("report_col_chapter"), *(plain(person.name) for person in main)]
        self.say(*table(head, rows, frozenset(range(1, len(head)))))

    def _threads(self) -> None:
        self.head("report_threads")
        threads = self.report.threads
        open_ = [thread for thread in threads if thread.standing != "paid"]
        if not threads:
            self.say(self.tr("report_no_threads"), "")
            return
        self.say(self.tr("report_threads_sum", open=len(open_), paid=len(threads) - len(open_)), "")
        if not open_:
            return
        rows = []
        for thread in open_[:_THREADS]:
            touched = [*thread.planted, *thread.progress, *thread.paid]
            due = self.chapter(thread.due) if thread.due is not None else plain(thread.due_said) or "–"
            last = self.chapter(max(touched)) if touched else "–"
            rows.append(
                [
                    plain(thread.name),
                    self.tr(f"standing_{thread.standing}"),
                    self.chapter(thread.first),
                    last,
                    due,
                ]
            )
        self.say(*table(self.columns("thread", "standing", "first", "last", "due"), rows))
        if len(open_) > _THREADS:
            self.say(self._more(len(open_) - _THREADS).strip(), "")

    def _checks(self) -> None:
        report = self.report
        self.head("report_checks")
        if not report.checked:
            self.say(self.tr("report_unchecked"), "")
            return
        if not report.codes:
            self.say(self.tr("report_nothing_found"), "")
            return
        sums = {rank: sum(row.count for row in report.codes if row.severity == rank) for rank in SEVERITIES}
        self.say(" · ".join(f"{self.tr(f'report_{rank}')}{n}" for rank, n in sums.items() if n), "")
        head = self.columns("severity", "code", "count", "example")
        rows = [
            [self.tr(f"report_rank_{row.severity}"), f"`{row.code}`", f"{row.count:,}", plain(row.example)]
            for row in report.codes
        ]
        self.say(*table(head, rows, frozenset({2})))
        worst = sorted(
            (at for at, row in enumerate(report.chapters) if row.alarms),
            key=lambda at: (-report.chapters[at].alarms, at),
        )[:_WORST]
        if worst:
            self.say(f"### {self.tr('report_worst')}", "")
            rows = [
                [
                    self.chapter(at),
                    str(report.chapters[at].alarms),
                    f"{1000 * report.chapters[at].alarms / max(1, report.length(report.chapters[at])):.1f}",
                ]
                for at in worst
            ]
            self.say(*table(self.columns("chapter", "alarms", "per_thousand"), rows, frozenset({1, 2})))

    def _problems(self) -> None:
        problems = self.report.problems
        if not problems:
            return
        self.head("report_problems")
        for problem in problems[:_PROBLEMS]:
            said = plain(tr(problem.code, self.locale, problem.params))
            self.say(
                f"- {link(problem.path, self.to(problem.path))}: {said}" if problem.path else f"- {said}"
            )
        if len(problems) > _PROBLEMS:
            self.say(f"- {self._more(len(problems) - _PROBLEMS).strip()}")
        self.say("")

    def _more(self, count: int) -> str:
        return f" {self.tr('report_more', count=count)}" if count > 0 else ""


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _inline(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode("utf-8")).decode("ascii")
