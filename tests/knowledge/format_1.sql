BEGIN TRANSACTION;
CREATE TABLE edges (
  source INTEGER NOT NULL,
  target INTEGER NOT NULL,
  relation TEXT NOT NULL,
  weight REAL NOT NULL,
  provenance TEXT NOT NULL,
  PRIMARY KEY (source, target, relation)
) WITHOUT ROWID;
INSERT INTO "edges" VALUES(0,2,'leads',0.5,'{"source":"wiki"}');
INSERT INTO "edges" VALUES(1,2,'helps',1.0,'{}');
CREATE TABLE embeddings (
  hash BLOB NOT NULL,
  model INTEGER NOT NULL,
  vector BLOB NOT NULL,
  revision INTEGER NOT NULL
);
INSERT INTO "embeddings" VALUES(X'626A3F3B88FEF647444557904719F18E',1,X'F4A9C03BC5BBE5FFC77F15F6',1);
INSERT INTO "embeddings" VALUES(X'1D96A441ADB221CA850835B3053464DC',1,X'58C9833B7FC45AC68D6A4E0F',1);
INSERT INTO "embeddings" VALUES(X'E30DB9659A0AB103E41A90531215FEE1',1,X'92A0A53B7DE82CE581CEE520',1);
INSERT INTO "embeddings" VALUES(X'02FA32C7770140AEE23DBD52E55B400F',1,X'0EF4AA3B1D81E1D2A3B9E7CE',1);
CREATE TABLE freed (row INTEGER PRIMARY KEY, revision INTEGER NOT NULL);
INSERT INTO "freed" VALUES(4,3);
CREATE TABLE models (model INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO "models" VALUES(1,'hashed-words');
CREATE TABLE records (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  tags TEXT NOT NULL,
  url TEXT NOT NULL,
  source_type TEXT NOT NULL,
  last_updated TEXT NOT NULL,
  stamp REAL,
  metadata TEXT NOT NULL,
  digest BLOB NOT NULL,
  hash BLOB NOT NULL,
  revision INTEGER NOT NULL
);
INSERT INTO "records" VALUES(0,'person:ada_lovelace','person','ada lovelace','Ada wrote the first program for the analytical engine. She lives in London.','["engineer","founder"]','','wiki','2026-01-10',1768003200.0,'{}',X'8015A26A8C2AC83AB5AA30DEE3BAF8C1',X'626A3F3B88FEF647444557904719F18E',1);
INSERT INTO "records" VALUES(1,'person:grace_hopper','person','grace hopper','Grace built the first compiler. She found a moth in a relay and called it a bug.','["engineer"]','','wiki','2026-03-02T09:30:00Z',1772443800.0,'{}',X'AAA9CE97EEE4E6A13587FD802593DBDE',X'1D96A441ADB221CA850835B3053464DC',1);
INSERT INTO "records" VALUES(2,'project:harbor','project','harbor','A telephone assistant for ferries. It books tickets and answers questions on sailings.','["voice","live"]','','tracker','2025-11-20',1763596800.0,'{}',X'A98DFE908E26A11FC403AEAFD852E66D',X'E30DB9659A0AB103E41A90531215FEE1',1);
INSERT INTO "records" VALUES(3,'project:orchard','project','orchard','A dashboard for therapists that shows how patients recover after an operation.','["web","live"]','','tracker','2026-05-05',1777939200.0,'{}',X'EB2530CE5763E84823B43B7C3A9789DC',X'02FA32C7770140AEE23DBD52E55B400F',1);
CREATE TABLE state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  format INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  revision INTEGER NOT NULL,
  vectors INTEGER NOT NULL,
  records INTEGER NOT NULL,
  edges INTEGER NOT NULL,
  updated TEXT NOT NULL
);
INSERT INTO "state" VALUES(1,1,'Studio','Made by an earlier version.',3,1,4,2,'2026-11-16T07:47:50.367Z');
CREATE INDEX records_by_revision ON records (revision);
CREATE INDEX records_by_hash ON records (hash);
CREATE INDEX freed_by_revision ON freed (revision);
CREATE INDEX edges_by_target ON edges (target);
CREATE UNIQUE INDEX embeddings_by_hash ON embeddings (hash, model);
CREATE INDEX embeddings_by_revision ON embeddings (revision);
COMMIT;
