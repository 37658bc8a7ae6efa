"""A chapter's scenes and how much of it is spoken. Pure."""

from __future__ import annotations

from inkwright.domain.manuscript import CountRule
from inkwright.manuscript import counting, markdown
from inkwright.proposals.quotes import quoted


def measured(text: str, rule: CountRule) -> tuple[tuple[int, ...], int]:
    """The lengths of its scenes by `rule`, and the characters that are not white space in quotation marks."""
    document = markdown.scan(text)
    scenes = tuple(int(getattr(scene.counts, rule)) for scene in counting.scenes(text, document))
    prose = "\n".join(
        counting.visible(text, paragraph)
        for paragraph in document.paragraphs
        if paragraph.prose and paragraph.kind != "heading"
    )
    spoken, end = 0, 0
    for span in quoted(prose):
        if span.start >= end:  # what is quoted in what is quoted counts once
            spoken += len("".join(span.of(prose).split()))
            end = span.end
    return scenes, spoken
