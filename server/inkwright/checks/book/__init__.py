"""Checks of a book as a whole: what one text says is compared with all the others. One file per check.

A check is a module of this package, or of `checks.continuity`, that names its `CODES` and has a `find`;
adding the file adds the check. Sentences of codes, titles of fixes and of related places stand in the
locales; a code's default severity is what `find` gives it, the settings re-rank it or switch it off.
"""
