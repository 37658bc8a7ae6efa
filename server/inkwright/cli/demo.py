"""`inkwright demo`: the main job on the sample book inside the package, with the offline engine.

Works on a copy in a temporary folder that owns its data: the package, and everything of the user's,
stays as it is.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from inkwright.cli.context import EXIT_DONE, EXIT_FAILED, Context, Subparsers


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("demo", help="polish a chapter of the sample book, offline, step by step")
    parser.add_argument("--language", choices=("zh", "en"), help="which sample book; default: your locale's")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="copy the sample book there and keep it")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright.library import sample_book
    from inkwright.store import locations
    from inkwright.workspace import absolute

    with tempfile.TemporaryDirectory(prefix="inkwright-demo-") as scratch:
        folder = absolute(args.keep) if args.keep else Path(scratch) / "book"
        sample_book.copy(args.language or context.locale, folder)
        locations.make_home(folder)
        return await _play(folder, context)


async def _play(folder: Path, context: Context) -> int:
    from inkwright.abilities import run_shapes
    from inkwright.abilities.asks import Ask
    from inkwright.cli.run import Stream, held, show_diff
    from inkwright.domain.text import apply
    from inkwright.workspace import write_text

    async with context.studio([folder]) as studio:
        book = await studio.workspace.book(folder)
        await book.ready()
        chapter = book.files.chapters()[0]
        path = folder / chapter.path
        _, snapshot = await studio.workspace.snapshot(path)
        say = context.note if context.json else context.say
        say(context.tr("demo_book", title=book.book.title, count=len(book.files.chapters())))
        say(context.tr("demo_polish", title=chapter.title, model="offline"))
        result = await studio.run(Ask("polish", snapshot, path, model="offline"), Stream(context))
        context.end_line()
        if result.proposal is None:
            return context.fail(result.fault, EXIT_FAILED) if result.fault else EXIT_FAILED
        say("")
        if not context.json:
            show_diff(context, result.proposal, Path(chapter.path))
        decision = await studio.review.accept(result.proposal, None, snapshot.text)
        await write_text(path, snapshot.text, apply(snapshot.text, list(decision.edits)))
        verdict = await studio.review.record(decision)
        kept = len(result.proposal.hunks) - len(verdict.applied)
        for line in held(context, result.proposal, verdict):
            say(line)
        say(context.tr("demo_applied", applied=len(verdict.applied), kept=kept))
        _, after = await studio.workspace.snapshot(path)
        again = await studio.run(Ask("polish", after, path, model="offline"), lambda _: None)
        left = 0 if again.proposal is None else len(again.proposal.hunks)
        say(context.tr("demo_again", left=left))
        say(context.tr("demo_next"))
        if context.json:
            context.emit(
                {
                    **run_shapes.run_result(result, "utf-16", context.locale),
                    "applied": run_shapes.verdict(verdict),
                    "left": left,
                }
            )
    return EXIT_DONE
