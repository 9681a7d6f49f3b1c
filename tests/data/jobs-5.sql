-- A file of jobs as an earlier version made it, with a deal that is done and one that is not.
BEGIN TRANSACTION;
CREATE TABLE holders (id INTEGER PRIMARY KEY, until REAL NOT NULL);
CREATE TABLE jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, title TEXT NOT NULL,
    key TEXT, digest TEXT NOT NULL, client TEXT NOT NULL, created REAL NOT NULL, ended REAL, reason TEXT,
    total INTEGER NOT NULL, waiting INTEGER NOT NULL, running INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, cancelled INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL, UNIQUE (client, key));
INSERT INTO "jobs" VALUES(1,'f19cb174b66cc6a8','deal','',NULL,'6f21dbd3478cb5d367477767e01ea08f9941b7c8fa2f75bf73a6a6e9f910ffbeb7c7190aa6e2d4d5a1ebbf69fe4f69b7ab18bf381c98d5f63bb4b5e84f1765e3','',1.79592412522022724149e+09,1.79592415752899932854e+09,NULL,2,1,0,1,0,0,50);
CREATE TABLE results (
    id INTEGER PRIMARY KEY AUTOINCREMENT, job INTEGER NOT NULL, unit INTEGER NOT NULL, text TEXT NOT NULL);
INSERT INTO "results" VALUES(1,1,0,'{"seed": 1}');
CREATE TABLE units (
    job INTEGER NOT NULL, number INTEGER NOT NULL, payload TEXT NOT NULL, state INTEGER NOT NULL DEFAULT 0,
    deaths INTEGER NOT NULL DEFAULT 0, holder INTEGER);
INSERT INTO "units" VALUES(1,0,'{"game":"kirin","seed":1}',2,0,NULL);
INSERT INTO "units" VALUES(1,1,'{"game":"kirin","seed":2}',0,0,NULL);
CREATE INDEX jobs_with_work ON jobs (number) WHERE waiting + running > 0;
CREATE UNIQUE INDEX units_of_job ON units (job, number);
CREATE INDEX units_waiting ON units (job, number) WHERE state = 0;
CREATE INDEX units_held ON units (holder) WHERE state = 1;
CREATE TRIGGER counted AFTER UPDATE OF state ON units BEGIN
    UPDATE jobs SET
        waiting = waiting + (new.state = 0) - (old.state = 0),
        running = running + (new.state = 1) - (old.state = 1),
        done = done + (new.state = 2) - (old.state = 2),
        failed = failed + (new.state = 3) - (old.state = 3),
        cancelled = cancelled + (new.state = 4) - (old.state = 4),
        ended = CASE WHEN new.state > 1 THEN (julianday('now') - 2440587.5) * 86400 ELSE ended END
    WHERE number = new.job; END;
CREATE INDEX results_of_job ON results (job, id);
CREATE INDEX results_of_unit ON results (job, unit);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('jobs',1);
INSERT INTO "sqlite_sequence" VALUES('results',1);
PRAGMA user_version = 5;
COMMIT;
