"""What the steps of pipelines came to. The functions run inside a unit of work of the journal."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import cast

from inkwright.domain.run import Product, Step, StepStatus
from inkwright.store.values import pack, unpack


def put(
    conn: sqlite3.Connection, run_id: str, products: Sequence[Product], now: float, *, given: bool = False
) -> None:
    """Enters products; what stood under the same index is replaced, one that was not reached is left out.

    `given`: the run begins with them. That one of them is entered again changes nothing about it.
    """
    conn.executemany(
        "INSERT INTO products (run_id, idx, name, window, status, text, given, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (run_id, idx) DO UPDATE SET name = excluded.name, window = excluded.window,"
        " status = excluded.status, text = excluded.text",
        [
            (pack(run_id), p.index, pack(p.name), p.window, p.status, pack(p.text), given, now)
            for p in products
            if p.status != "pending"
        ],
    )


def get(conn: sqlite3.Connection, run_id: str, *, given: bool = False) -> tuple[Product, ...]:
    """A run's products in order, or those of them that it began with."""
    rows = conn.execute(
        "SELECT * FROM products WHERE run_id = ? AND given >= ? ORDER BY idx", (pack(run_id), given)
    )
    return tuple(
        Product(
            row["idx"],
            unpack(row["name"]),
            cast("StepStatus", row["status"]),
            unpack(row["text"]),
            row["window"],
        )
        for row in rows
    )


def every(steps: Sequence[Step], products: Sequence[Product]) -> tuple[Product, ...]:
    """One product for each planned step, in order: those that were not reached as `pending`."""
    known = {product.index: product for product in products}
    return tuple(
        known.get(step.index, Product(step.index, step.name, "pending", window=step.window)) for step in steps
    )
