"""Continuity: what a text says now against what cards and earlier chapters have said. One file per check.

`reading` works out of one paragraph what people in it do, hold, look like and say; `story` puts the paragraphs
of a chapter together and leaves out what is remembered, dreamt or told; `known` is what the cards say of a
chapter. A check compares the two. Each would rather be silent than wrong.
"""
