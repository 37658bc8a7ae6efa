"""How long runs are kept. Products, candidates and proposals go with their run; made cards stay known."""

from __future__ import annotations

import sqlite3
import time

from inkwright.store import texts

KEEP_RUNS = 500
KEEP_SECONDS = 180 * 24 * 3600.0

# A run of which something waits for the writer stays for good. A pipeline that was cut short with
# something to go on from stays for `seconds`, until another run has taken over what it had.
_OUTDATED = (
    "DELETE FROM runs WHERE book_id = :book AND ended_at IS NOT NULL"
    " AND NOT EXISTS (SELECT 1 FROM proposals WHERE run_id = runs.id AND pending > 0)"
    " AND NOT EXISTS (SELECT 1 FROM candidates WHERE run_id = runs.id AND state = 'pending')"
    " AND (created_at < :oldest OR (id NOT IN"
    " (SELECT id FROM runs WHERE book_id = :book ORDER BY created_at DESC, id LIMIT :keep)"
    " AND NOT (pipeline <> '' AND state <> 'completed'"
    " AND EXISTS (SELECT 1 FROM products WHERE run_id = runs.id AND status = 'completed')"
    " AND NOT EXISTS (SELECT 1 FROM runs AS later WHERE later.resumes = runs.id))))"
)


def prune(conn: sqlite3.Connection, book_id: str, keep: int, seconds: float) -> int:
    """Deletes ended runs beyond the newest `keep` or older than `seconds`; returns how many."""
    limits = {"book": book_id, "oldest": time.time() - seconds, "keep": keep}
    gone = conn.execute(_OUTDATED, limits).rowcount
    if gone:
        texts.sweep(conn)
    return gone
