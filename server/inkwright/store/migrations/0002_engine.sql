-- What pipelines, the cards that runs make, and the summaries of chapters need.

-- `steps` are the planned steps without their instructions, `notices` faults; both JSON lists.
ALTER TABLE runs ADD COLUMN pipeline TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN steps TEXT NOT NULL DEFAULT '[]';
ALTER TABLE runs ADD COLUMN resumes TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN notices TEXT NOT NULL DEFAULT '[]';
ALTER TABLE runs ADD COLUMN budget TEXT;
ALTER TABLE runs ADD COLUMN context_window INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_resumes ON runs (resumes) WHERE resumes <> '';

-- What the steps of a pipeline came to, each entered as soon as it is there. `given` are those of the
-- run that this one resumes.
CREATE TABLE products (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE ON UPDATE CASCADE,
  idx INTEGER NOT NULL,
  name TEXT NOT NULL,
  window INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('completed', 'partial', 'failed', 'cancelled', 'pending')),
  text TEXT NOT NULL,
  given INTEGER NOT NULL,
  created_at REAL NOT NULL,
  PRIMARY KEY (run_id, idx)
);

-- Which file holds the card of a digest. A card outlives the run that made it.
CREATE TABLE made_cards (
  book_id TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  digest TEXT NOT NULL,
  path TEXT NOT NULL,
  run_id TEXT NOT NULL,
  created_at REAL NOT NULL,
  PRIMARY KEY (book_id, digest)
);

-- The cards that a run made or found made.
CREATE TABLE run_cards (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE ON UPDATE CASCADE,
  path TEXT NOT NULL,
  PRIMARY KEY (run_id, path)
);

-- Cards that wait for the writer, or that the writer decided on. `card` is JSON.
CREATE TABLE candidates (
  id TEXT PRIMARY KEY,
  book_id TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE ON UPDATE CASCADE,
  card TEXT NOT NULL,
  digest TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'accepted', 'rejected')),
  path TEXT NOT NULL DEFAULT '',
  created_at REAL NOT NULL,
  decided_at REAL
);
CREATE UNIQUE INDEX candidates_pending ON candidates (book_id, digest) WHERE state = 'pending';
CREATE INDEX candidates_run ON candidates (run_id);

-- What chapters are about, derived from the text that `digest` names; `by` is the model that made it.
CREATE TABLE summaries (
  book_id TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  digest TEXT NOT NULL,
  text TEXT NOT NULL,
  by TEXT NOT NULL,
  made_at REAL NOT NULL,
  PRIMARY KEY (book_id, path)
);
