-- Every table has a rowid: what a damaged file still gives is read by rowid.
-- Columns of text may hold a BLOB of WTF-8 where the text has a lone surrogate.

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- The processes that have this database open. A row whose process is gone tells of an unclean end.
CREATE TABLE processes (
  id TEXT PRIMARY KEY,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  machine TEXT NOT NULL,
  version TEXT NOT NULL,
  opened_at REAL NOT NULL
);

CREATE TABLE books (
  id TEXT PRIMARY KEY,
  root TEXT NOT NULL,
  title TEXT NOT NULL DEFAULT '',
  author TEXT NOT NULL DEFAULT '',
  language TEXT NOT NULL DEFAULT '',
  type TEXT NOT NULL DEFAULT '',
  count TEXT NOT NULL DEFAULT 'mixed',
  model TEXT NOT NULL DEFAULT '',
  revision INTEGER NOT NULL DEFAULT 0,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL
);

-- A chapter keeps its id when its text changes and when its file is moved unchanged.
CREATE TABLE chapters (
  id TEXT PRIMARY KEY,
  book_id TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  digest TEXT NOT NULL,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL,
  gone_at REAL
);
CREATE UNIQUE INDEX chapters_path ON chapters (book_id, path) WHERE gone_at IS NULL;
CREATE INDEX chapters_gone ON chapters (book_id, digest) WHERE gone_at IS NOT NULL;

CREATE TABLE memories (
  id TEXT PRIMARY KEY,
  book_id TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  skill_type TEXT NOT NULL,
  memory_type TEXT NOT NULL CHECK (memory_type IN ('preference', 'decision', 'lesson')),
  content TEXT NOT NULL,
  keywords TEXT NOT NULL DEFAULT '',
  relevance_score REAL NOT NULL DEFAULT 1.0,
  pinned INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 0,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL,
  last_hit_at REAL
);
CREATE INDEX memories_ability ON memories (book_id, skill_type);
CREATE INDEX memories_type ON memories (memory_type);

-- Long texts, once each, under the SHA-256 of their bytes, which is checked when they are read.
CREATE TABLE texts (
  digest TEXT PRIMARY KEY,
  chars INTEGER NOT NULL,
  body BLOB NOT NULL
);

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  book_id TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  process_id TEXT NOT NULL,
  state TEXT NOT NULL,
  stop_reason TEXT,
  ability TEXT NOT NULL,
  domain TEXT NOT NULL,
  profile_hash TEXT NOT NULL,
  model TEXT NOT NULL,
  effort TEXT NOT NULL,
  locale TEXT NOT NULL,
  message TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  uri TEXT NOT NULL,
  path TEXT NOT NULL,
  version INTEGER,
  span_start INTEGER NOT NULL,
  span_end INTEGER NOT NULL,
  whole INTEGER NOT NULL,
  snapshot TEXT NOT NULL REFERENCES texts (digest),
  windows TEXT NOT NULL,
  context TEXT NOT NULL REFERENCES texts (digest),
  memories TEXT NOT NULL,
  history TEXT NOT NULL,
  text TEXT NOT NULL DEFAULT '',
  window_texts TEXT NOT NULL DEFAULT '[]',
  usage TEXT NOT NULL DEFAULT '{}',
  fault TEXT,
  server_version TEXT NOT NULL,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL,
  ended_at REAL
);
CREATE INDEX runs_recent ON runs (book_id, created_at DESC, id);
CREATE INDEX runs_open ON runs (process_id) WHERE ended_at IS NULL;

CREATE TABLE run_steps (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE ON UPDATE CASCADE,
  idx INTEGER NOT NULL,
  window INTEGER NOT NULL,
  round INTEGER NOT NULL,
  prompt_hash TEXT NOT NULL,
  prompt_chars INTEGER NOT NULL,
  text TEXT NOT NULL,
  finish TEXT NOT NULL,
  usage TEXT,
  seconds REAL NOT NULL,
  provider_request_id TEXT NOT NULL,
  error_kind TEXT NOT NULL,
  created_at REAL NOT NULL,
  PRIMARY KEY (run_id, idx)
);

CREATE TABLE tool_calls (
  run_id TEXT NOT NULL,
  step_idx INTEGER NOT NULL,
  idx INTEGER NOT NULL,
  call_id TEXT NOT NULL,
  name TEXT NOT NULL,
  arguments TEXT,
  raw TEXT NOT NULL,
  result TEXT NOT NULL,
  ok INTEGER NOT NULL,
  seconds REAL NOT NULL,
  PRIMARY KEY (run_id, step_idx, idx),
  FOREIGN KEY (run_id, step_idx) REFERENCES run_steps (run_id, idx) ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE proposals (
  id TEXT PRIMARY KEY,
  book_id TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE ON UPDATE CASCADE,
  uri TEXT NOT NULL,
  path TEXT NOT NULL,
  version INTEGER,
  base TEXT NOT NULL REFERENCES texts (digest),
  text TEXT NOT NULL REFERENCES texts (digest),
  span_start INTEGER NOT NULL,
  span_end INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL
);
CREATE INDEX proposals_run ON proposals (run_id);
CREATE INDEX proposals_pending ON proposals (book_id, path) WHERE pending > 0;

CREATE TABLE hunks (
  proposal_id TEXT NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  span_start INTEGER NOT NULL,
  span_end INTEGER NOT NULL,
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  findings TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'accepted', 'rejected', 'stale')),
  decided_at REAL,
  PRIMARY KEY (proposal_id, idx)
);

-- What stood in a chapter before a day's first word and after its last one, by each counting rule.
CREATE TABLE daily_counts (
  book_id TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  chapter_id TEXT NOT NULL,
  mixed_before INTEGER NOT NULL,
  han_before INTEGER NOT NULL,
  word_before INTEGER NOT NULL,
  nonspace_before INTEGER NOT NULL,
  mixed INTEGER NOT NULL,
  han INTEGER NOT NULL,
  word INTEGER NOT NULL,
  nonspace INTEGER NOT NULL,
  PRIMARY KEY (book_id, day, chapter_id)
);
CREATE INDEX daily_counts_chapter ON daily_counts (book_id, chapter_id, day);
