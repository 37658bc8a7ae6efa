-- What models cost: for each book, kept when its runs are long gone.

-- Requests that came to nothing before the one that a step is of; a JSON list.
ALTER TABLE run_steps ADD COLUMN attempts TEXT NOT NULL DEFAULT '[]';

-- Requests that used something, summed up. `unpriced` of them cost nobody knows what, which is in no
-- `cost`; the tokens of `estimated` are estimates of ours. `day` is the writer's own.
CREATE TABLE usage (
  book_id TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  model TEXT NOT NULL,
  ability TEXT NOT NULL,
  currency TEXT NOT NULL,
  requests INTEGER NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  cost REAL NOT NULL,
  unpriced INTEGER NOT NULL,
  estimated INTEGER NOT NULL,
  PRIMARY KEY (book_id, day, model, ability, currency)
);

-- What a day has cost over all books; only the database of documents without a book keeps it.
CREATE TABLE spending (
  day TEXT NOT NULL,
  currency TEXT NOT NULL,
  cost REAL NOT NULL,
  PRIMARY KEY (day, currency)
);
