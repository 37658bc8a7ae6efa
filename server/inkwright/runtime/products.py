"""What the earlier steps of a pipeline came to, as one message: each within its size, all within theirs."""

from __future__ import annotations

from collections.abc import Sequence

from inkwright.domain.conversation import Locale
from inkwright.domain.run import Part, Product, RunRequest, Step
from inkwright.domain.tokens import estimate
from inkwright.runtime import caps
from inkwright.runtime.cuts import cut, missing
from inkwright.runtime.fence import fence, key
from inkwright.runtime.stage import Stage
from inkwright.runtime.steptext import placeholder, title
from inkwright.runtime.texts import line


def message(request: RunRequest, stage: Stage, limit: int | None = None) -> tuple[str, tuple[Part, ...]]:
    """The message ('' when there is no product) and a part for each product.

    `limit` is what they may take together, in tokens; each then gets an equal share.
    """
    locale = request.locale
    texts = [product.text for product in stage.products]
    share = _share(list(map(len, texts)), caps.PRODUCT_CHARS, caps.PRODUCTS_CHARS)
    cuts = [cut(text, share, locale) for text in texts]
    size = sum(map(estimate, cuts))
    if limit is not None and size > limit:
        chars = sum(map(len, cuts)) * limit // size
        share = _share(list(map(len, cuts)), share, chars)
        cuts = [cut(text, share, locale) for text in texts]
    steps = {step.index: step for step in request.steps}
    parts = tuple(
        _part(steps.get(product.index), product, text, missing(product.text, share, locale), locale)
        for product, text in zip(stage.products, cuts, strict=True)
    )
    if not parts:
        return "", ()
    mark = key(f"{request.id}/products", cuts)
    fenced = [fence(mark, "product", part.text, str(part.params["step"])) for part in parts]
    return "\n\n".join([line("products", locale), *fenced]), parts


def _part(step: Step | None, product: Product, text: str, left_out: int, locale: Locale) -> Part:
    shown = text if text.strip() else placeholder(locale)
    named = title(step, locale) if step else product.name
    return Part("product", shown, "product", {"step": named}, estimate(shown), left_out)


def _share(lengths: Sequence[int], most: int, together: int) -> int:
    """The greatest length up to `most` to which all can be cut so that they are within `together`."""
    left, count = together, len(lengths)
    for length in sorted(lengths):
        if length * count >= left:
            return max(0, min(most, left // count))
        left -= length
        count -= 1
    return most
