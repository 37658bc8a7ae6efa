-- A book's database as the first format wrote it: two runs, one of them cut off. NOW stands for a time.
PRAGMA application_id = 0x494E4B57;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
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
INSERT INTO "books" VALUES('b7ed486fe9d94cbf993f93855b590588','/books/雪夜','','','','','mixed','',0,NOW,NOW);
CREATE TABLE chapters (
  id TEXT PRIMARY KEY,
  book_id TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  digest TEXT NOT NULL,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL,
  gone_at REAL
);
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
INSERT INTO "hunks" VALUES('p-1',0,2,4,'第一','第二','[]','pending',NULL);
INSERT INTO "hunks" VALUES('p-1',1,9,12,'林晚秋','林晚','[{"code":"name_lost","params":{"count":1,"name":"林晚秋"}}]','pending',NULL);
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
INSERT INTO "memories" VALUES('m-1','b7ed486fe9d94cbf993f93855b590588','polish','preference','喜欢短句','短句',1.0,0,0,NOW,NOW,NULL);
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
INSERT INTO "meta" VALUES('checked_at','NOW');
CREATE TABLE processes (
  id TEXT PRIMARY KEY,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  machine TEXT NOT NULL,
  version TEXT NOT NULL,
  opened_at REAL NOT NULL
);
INSERT INTO "processes" VALUES('aad5fde094784e4cbf0eb3dbacd25ce6',29534,'gone','another machine','0.1.0',NOW);
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
INSERT INTO "proposals" VALUES('p-1','b7ed486fe9d94cbf993f93855b590588','run-1','file:///1.md','第一章.md',3,'e3163b67f8fa23c2a7c553d24e70a9770d832aa81cbc1dc615dee3153efe56d5','374dc4e7f9bb8fa971c4ec445f96c73dbea70659ffd513a280fa68f0d0d51586',0,23,2,17.0,NOW);
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
INSERT INTO "run_steps" VALUES('run-1',0,0,0,'abc',120,'林晚秋推开门。','stop','{"cache_read":null,"cache_write":null,"cost":null,"estimated":false,"input":10,"output":20,"reasoning":null}',1.5,'req-9','',NOW);
INSERT INTO "run_steps" VALUES('run-2',0,0,0,'abc',120,'林晚秋推开门。','stop','{"cache_read":null,"cache_write":null,"cost":null,"estimated":false,"input":10,"output":20,"reasoning":null}',1.5,'req-9','',NOW);
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
INSERT INTO "runs" VALUES('run-1','b7ed486fe9d94cbf993f93855b590588','aad5fde094784e4cbf0eb3dbacd25ce6','completed','finished','polish','novel','d36dffd46317f311312c1d173f4922dd7891ac6c0de8db97d3aaafde3faf5628','offline','off','zh','保持文风','hash','file:///books/%E9%9B%AA/1.md','第一章.md',3,0,23,1,'e3163b67f8fa23c2a7c553d24e70a9770d832aa81cbc1dc615dee3153efe56d5','[[0,23]]','e14d9ec9e0e9ee5c84893ac9a2ce9ae494848f3a023f41e63fe6a932289667d2','["喜欢短句"]','[["问","答"]]',X'E69E97E6999AE7A78BE68EA8E997A8EDB280',X'5B22E69E97E6999AE7A78BE68EA8E997A8EDB280225D','{"cache_read":null,"cache_write":null,"cost":null,"estimated":false,"input":10,"output":20,"reasoning":null}',NULL,'0.1.0',NOW,NOW,NOW);
INSERT INTO "runs" VALUES('run-2','b7ed486fe9d94cbf993f93855b590588','aad5fde094784e4cbf0eb3dbacd25ce6','running',NULL,'polish','novel','d36dffd46317f311312c1d173f4922dd7891ac6c0de8db97d3aaafde3faf5628','offline','off','zh','保持文风','hash','file:///books/%E9%9B%AA/1.md','第一章.md',3,0,23,1,'e3163b67f8fa23c2a7c553d24e70a9770d832aa81cbc1dc615dee3153efe56d5','[[0,23]]','e14d9ec9e0e9ee5c84893ac9a2ce9ae494848f3a023f41e63fe6a932289667d2','["喜欢短句"]','[["问","答"]]','','[]','{}',NULL,'0.1.0',NOW,NOW,NULL);
CREATE TABLE schema_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  applied_at REAL NOT NULL
);
INSERT INTO "schema_migrations" VALUES(1,'foundation','a9e9bbc735034b7b90565871d8b68b07e5c5c2755230a3cffc8cf562db297684',NOW);
CREATE TABLE texts (
  digest TEXT PRIMARY KEY,
  chars INTEGER NOT NULL,
  body BLOB NOT NULL
);
INSERT INTO "texts" VALUES('e3163b67f8fa23c2a7c553d24e70a9770d832aa81cbc1dc615dee3153efe56d5',23,X'789C013A00C5FF2320E7ACACE4B880E7ABA020E99BA80A0AE69E97E6999AE7A78BE68EA8E5BC80E997A8EFBC8CE99BA8E8BF98E59CA8E4B88BE38082F0A0AEB70A37B725B9');
INSERT INTO "texts" VALUES('e14d9ec9e0e9ee5c84893ac9a2ce9ae494848f3a023f41e63fe6a932289667d2',134,X'789C8B8EAE56CA4BCC4D55B252504A4E2C4A51D251502A49AD2801F19FCD9BFE6CE6ACE7CBBBDFEF99F5B473E2D3758B40B245A989C5F97920F9DCD4BC92CCFCBC54B0A682C4A2C4DC62A070B552727E691EC800C35A9061F9D9A97920710B2027B914246E006415E7971625C36D2DD687DBA5979BA2541B1B0B000D753879');
INSERT INTO "texts" VALUES('374dc4e7f9bb8fa971c4ec445f96c73dbea70659ffd513a280fa68f0d0d51586',24,X'789C013D00C2FF2320E7ACACE4B880E7ABA020E99BA80A0AE69E97E6999AE7A78BE68EA8E5BC80E997A8EFBC8CE99BA8E8BF98E59CA8E4B88BE38082F0A0AEB70AE696B0AD7027E5');
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
INSERT INTO "tool_calls" VALUES('run-1',0,0,'call-1','read_chapter','{"chapter_id":"第一章.md"}','{"chapter_id"','正文',1,0.5);
INSERT INTO "tool_calls" VALUES('run-2',0,0,'call-1','read_chapter','{"chapter_id":"第一章.md"}','{"chapter_id"','正文',1,0.5);
CREATE UNIQUE INDEX chapters_path ON chapters (book_id, path) WHERE gone_at IS NULL;
CREATE INDEX chapters_gone ON chapters (book_id, digest) WHERE gone_at IS NOT NULL;
CREATE INDEX memories_ability ON memories (book_id, skill_type);
CREATE INDEX memories_type ON memories (memory_type);
CREATE INDEX runs_recent ON runs (book_id, created_at DESC, id);
CREATE INDEX runs_open ON runs (process_id) WHERE ended_at IS NULL;
CREATE INDEX proposals_run ON proposals (run_id);
CREATE INDEX proposals_pending ON proposals (book_id, path) WHERE pending > 0;
CREATE INDEX daily_counts_chapter ON daily_counts (book_id, chapter_id, day);
COMMIT;
