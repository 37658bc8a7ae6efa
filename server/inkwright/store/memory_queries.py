"""The statements that find memories, and how much they look at: bounded, however many there are."""

# ruff: noqa: S608 - put together from our own words
from __future__ import annotations

MATCHES = 240
"""Of each keyword that many memories are looked at, the newest: all there can be within the caps."""
LOOKED_AT = 32 * MATCHES
"""And of all keywords together that many."""
BEST = 80
"""Of those that share a keyword that many are read, those with most in common first."""
RARE = 40
"""And that many of those that share one all of whose memories are looked at, however old they are."""
STANDING = 50
"""So many preferences of an ability, and so many pinned memories, are read whatever they share."""
KNOWN = 100
"""With so many a new one is compared."""

# `base` is where the newest of a keyword's memories begin, 0 when all of them are looked at.
_SHARING = (
    "WITH asked AS MATERIALIZED (SELECT value AS word, coalesce((SELECT memory FROM memory_keywords"
    " WHERE keyword = value ORDER BY memory DESC LIMIT 1 OFFSET :last), 0) AS base FROM json_each(:keywords)),"
    " sharing AS MATERIALIZED (SELECT memory, count(*) AS shared, total(base = 0) AS whole FROM asked"
    " CROSS JOIN memory_keywords ON keyword = word AND memory >= base GROUP BY memory)"
)
_PREFERRED = "SELECT seq FROM memories WHERE book_id = :book AND memory_type = 'preference' AND skill_type"
_BEST_LIKED = "ORDER BY relevance_score DESC, updated_at DESC LIMIT :standing"
CANDIDATES = (
    f"{_SHARING}, best AS (SELECT memory FROM sharing ORDER BY shared DESC, memory DESC LIMIT :best),"
    " rare AS (SELECT memory FROM sharing WHERE whole ORDER BY whole DESC, memory DESC LIMIT :rare),"
    f" own AS ({_PREFERRED} = :ability {_BEST_LIKED}), everywhere AS ({_PREFERRED} = '' {_BEST_LIKED}),"
    " pinned AS (SELECT seq FROM memories WHERE book_id = :book AND pinned ORDER BY updated_at DESC"
    " LIMIT :standing)"
    " SELECT memories.* FROM (SELECT memory FROM best UNION SELECT memory FROM rare UNION SELECT seq FROM own"
    " UNION SELECT seq FROM everywhere UNION SELECT seq FROM pinned) CROSS JOIN memories ON seq = memory"
    " WHERE book_id = :book"
)
ALIKE = (
    f"{_SHARING} SELECT memories.* FROM sharing CROSS JOIN memories ON seq = memory WHERE book_id = :book"
    " AND memory_type = :type ORDER BY whole DESC, shared DESC, seq DESC LIMIT :known"
)
WORDLESS = (
    "SELECT * FROM memories WHERE book_id = :book AND memory_type = :type AND keywords = ''"
    " ORDER BY seq DESC LIMIT :known"
)
_OF = "book_id = :book AND (:type = '' OR memory_type = :type)"
PAGE = (
    f"SELECT * FROM memories WHERE {_OF} AND (:ability = '' OR skill_type IN (:ability, ''))"
    " AND (created_at < :created OR (created_at = :created AND id > :id))"
    " ORDER BY created_at DESC, id LIMIT :limit"
)
EVERY = "SELECT * FROM memories WHERE book_id = :book ORDER BY created_at DESC, id"
CLEAR = f"DELETE FROM memories WHERE {_OF} AND (:ability = '' OR skill_type = :ability)"
