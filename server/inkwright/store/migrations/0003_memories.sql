-- Memories get a number that their keywords point to.
CREATE TABLE memories_before AS SELECT * FROM memories;
DROP TABLE memories;

-- `skill_type` is the ability that a memory belongs to, '' for all of them. Keywords are parted by blanks.
CREATE TABLE memories (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
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
INSERT INTO memories (
  id, book_id, skill_type, memory_type, content, relevance_score, pinned, revision, created_at, updated_at,
  last_hit_at
) SELECT
  id, book_id, skill_type, memory_type, content, relevance_score, pinned, revision, created_at, updated_at,
  last_hit_at
FROM memories_before;
DROP TABLE memories_before;
CREATE INDEX memories_ability
ON memories (book_id, skill_type, memory_type, relevance_score DESC, updated_at DESC);
CREATE INDEX memories_type ON memories (memory_type);
CREATE INDEX memories_recent ON memories (book_id, created_at DESC, id);
CREATE INDEX memories_pinned ON memories (book_id, updated_at DESC) WHERE pinned;

-- Which memories carry a keyword. Triggers keep it in step with `memories.keywords`, whoever writes a
-- memory: a rebuilt database gets it back with its memories.
CREATE TABLE memory_keywords (
  keyword TEXT NOT NULL,
  memory INTEGER NOT NULL,
  PRIMARY KEY (keyword, memory)
);

CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN
  INSERT OR IGNORE INTO memory_keywords (keyword, memory)
  SELECT word, NEW.seq FROM (
    WITH RECURSIVE split (word, rest) AS (
      SELECT '', NEW.keywords || ' '
      UNION SELECT substr(rest, 1, instr(rest, ' ') - 1), substr(rest, instr(rest, ' ') + 1)
      FROM split WHERE rest <> ''
    ) SELECT word FROM split WHERE word <> ''
  );
END;

CREATE TRIGGER memories_dropped AFTER DELETE ON memories BEGIN
  DELETE FROM memory_keywords WHERE memory = OLD.seq AND keyword IN (
    WITH RECURSIVE split (word, rest) AS (
      SELECT '', OLD.keywords || ' '
      UNION SELECT substr(rest, 1, instr(rest, ' ') - 1), substr(rest, instr(rest, ' ') + 1)
      FROM split WHERE rest <> ''
    ) SELECT word FROM split
  );
END;

CREATE TRIGGER memories_reworded AFTER UPDATE OF keywords ON memories
WHEN OLD.keywords IS NOT NEW.keywords BEGIN
  DELETE FROM memory_keywords WHERE memory = OLD.seq AND keyword IN (
    WITH RECURSIVE split (word, rest) AS (
      SELECT '', OLD.keywords || ' '
      UNION SELECT substr(rest, 1, instr(rest, ' ') - 1), substr(rest, instr(rest, ' ') + 1)
      FROM split WHERE rest <> ''
    ) SELECT word FROM split
  );
  INSERT OR IGNORE INTO memory_keywords (keyword, memory)
  SELECT word, NEW.seq FROM (
    WITH RECURSIVE split (word, rest) AS (
      SELECT '', NEW.keywords || ' '
      UNION SELECT substr(rest, 1, instr(rest, ' ') - 1), substr(rest, instr(rest, ' ') + 1)
      FROM split WHERE rest <> ''
    ) SELECT word FROM split WHERE word <> ''
  );
END;
