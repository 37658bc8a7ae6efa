-- Facts that chapters tell of cards: those that wait for the writer, and what was decided on. The same one has
-- the same card, key, `said` (the hash of the value) and chapter; `passage` is the hash of the quotation.
-- An accepted one outlives its run: it says where a card's fact came from. `claimed_by` is the process that is
-- writing it into its card.
CREATE TABLE facts (
  id TEXT PRIMARY KEY,
  book_id TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  run_id TEXT NOT NULL,
  card TEXT NOT NULL,
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  since TEXT NOT NULL,
  until TEXT NOT NULL,
  quote TEXT NOT NULL,
  source TEXT NOT NULL,
  said TEXT NOT NULL,
  passage TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'accepted', 'rejected')),
  claimed_by TEXT NOT NULL DEFAULT '',
  created_at REAL NOT NULL,
  decided_at REAL,
  UNIQUE (book_id, card, key, said, source)
);

-- The facts that a run found: those that it added, and those that waited already.
CREATE TABLE run_facts (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE ON UPDATE CASCADE,
  fact_id TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  PRIMARY KEY (run_id, fact_id)
);
