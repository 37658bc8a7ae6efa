-- The candidates that a run asked for: those that it added, and those that waited already.
CREATE TABLE run_candidates (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE ON UPDATE CASCADE,
  candidate_id TEXT NOT NULL REFERENCES candidates (id) ON DELETE CASCADE,
  PRIMARY KEY (run_id, candidate_id)
);
INSERT INTO run_candidates SELECT run_id, id FROM candidates ORDER BY rowid;
