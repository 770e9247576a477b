-- The tables of a record in a database. Seats and legs count from 1, as p1 and p2 do. Times are in
-- microseconds; game.times holds one a move, as varints (LEB128). Whoever changes a table changes
-- it in upgrade.sql, too, for the databases that have it already.

CREATE SCHEMA nimarena;

-- The versions that the record has had.
CREATE TABLE version (
    version integer PRIMARY KEY,
    applied timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE configuration (
    name  text PRIMARY KEY,
    value text NOT NULL
);

CREATE TABLE entrant (
    number      integer PRIMARY KEY CHECK (number >= 0),
    name        text NOT NULL UNIQUE DEFERRABLE,  -- players may swap names
    spec        text NOT NULL,
    first_round integer NOT NULL
);

CREATE TABLE round (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stage    integer NOT NULL CHECK (stage BETWEEN 1 AND 1000000000),
    round    integer NOT NULL CHECK (round BETWEEN 1 AND 1000000000),
    attempt  integer NOT NULL CHECK (attempt BETWEEN 1 AND 1000000000),
    byes     text NOT NULL,
    spent_ms bigint NOT NULL,
    note     text NOT NULL,
    UNIQUE (stage, round, attempt)
);

CREATE TABLE pair (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stage           integer NOT NULL,
    round           integer NOT NULL,
    pairing         integer NOT NULL CHECK (pairing BETWEEN 1 AND 1000000000),
    position_number integer NOT NULL CHECK (position_number BETWEEN 1 AND 1000000000),
    attempt         integer NOT NULL,
    player1         integer NOT NULL REFERENCES entrant,
    player2         integer NOT NULL REFERENCES entrant CHECK (player2 <> player1),
    position        text NOT NULL,
    UNIQUE (stage, round, pairing, position_number, attempt),
    FOREIGN KEY (stage, round, attempt) REFERENCES round (stage, round, attempt)
);

-- A pair with games to play, and the worker that has leased it, or 0. In the order of the
-- schedule.
CREATE TABLE task (
    pair            bigint PRIMARY KEY,
    worker          integer NOT NULL DEFAULT 0,
    missing         smallint NOT NULL DEFAULT 3,  -- legs: 1, 2, or both
    stage           integer NOT NULL,
    round           integer NOT NULL,
    pairing         integer NOT NULL,
    position_number integer NOT NULL,
    attempt         integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX task_in_order
    ON task (worker, stage, round, pairing, position_number, attempt);

CREATE TABLE worker (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    role     name NOT NULL DEFAULT session_user,  -- who may speak for it
    machine  text NOT NULL CHECK (length(machine) <= 1000),
    process  integer NOT NULL,
    cores    integer NOT NULL,                    -- games at a time
    machine_cores integer NOT NULL,
    speed    bigint NOT NULL,
    version  text NOT NULL CHECK (length(version) <= 1000),
    lease    interval NOT NULL CHECK (lease BETWEEN interval '1 ms' AND interval '1 hour'),
    since    timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen     timestamptz NOT NULL DEFAULT clock_timestamp(),
    until    timestamptz NOT NULL,                -- the end of its leases
    is_over  boolean NOT NULL DEFAULT false,      -- its leases have been given back
    load     double precision NOT NULL DEFAULT 0,
    games    bigint NOT NULL DEFAULT 0,
    -- Its games at two times, the later one half a minute old or so: its present rate is that
    -- since the earlier one.
    mark     timestamptz NOT NULL DEFAULT clock_timestamp(),
    mark_games    bigint NOT NULL DEFAULT 0,
    earlier  timestamptz NOT NULL DEFAULT clock_timestamp(),
    earlier_games bigint NOT NULL DEFAULT 0,
    late     bigint NOT NULL DEFAULT 0            -- results of leases that others have now
) WITH (fillfactor = 50);
CREATE INDEX worker_not_over ON worker (id) WHERE NOT is_over;

-- The secret of each worker.
CREATE TABLE ticket (
    number uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    worker integer NOT NULL UNIQUE REFERENCES worker
);

-- Two sessions that add one build at the same time add it twice: an index that forbids it would
-- let one of them wait for the other.
CREATE TABLE build (
    id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    command    text NOT NULL,
    name       text NOT NULL,
    executable text NOT NULL
);
CREATE INDEX build_by_hash
    ON build (hashtextextended(command, 0), hashtextextended(name, 0),
              hashtextextended(executable, 0));

-- Hashes of each player's program, from the first machine that plays.
CREATE TABLE program (
    player integer PRIMARY KEY REFERENCES entrant,
    hashes text NOT NULL CHECK (length(hashes) <= 10000)
);

CREATE TABLE game (
    pair        bigint NOT NULL,
    leg         smallint NOT NULL CHECK (leg IN (1, 2)),
    worker      integer NOT NULL,
    winner      smallint CHECK (winner IN (1, 2)),
    reason      text NOT NULL,
    detail      text NOT NULL,
    moves       text NOT NULL CHECK (octet_length(moves) <= 16000000),
    times       bytea NOT NULL,
    p1_seed     bigint NOT NULL,
    p2_seed     bigint NOT NULL,
    started     bigint NOT NULL,
    p1_cpu      bigint NOT NULL,
    p2_cpu      bigint NOT NULL,
    p1_off_turn bigint NOT NULL CHECK (p1_off_turn BETWEEN 0 AND 10000000000000),
    p2_off_turn bigint NOT NULL CHECK (p2_off_turn BETWEEN 0 AND 10000000000000),
    p1_build    integer,
    p2_build    integer,
    p1_stderr   text NOT NULL,
    p2_stderr   text NOT NULL,
    p1_strikes  integer NOT NULL CHECK (p1_strikes BETWEEN 0 AND 1000000000),
    p2_strikes  integer NOT NULL CHECK (p2_strikes BETWEEN 0 AND 1000000000),
    strikes     json,                             -- [seat, ply, reason, received] each
    -- Of a fault that ended it:
    seat        smallint CHECK (seat IN (1, 2)),
    received    text NOT NULL,
    expected    text NOT NULL,
    stderr      text NOT NULL,
    exit_code   integer,
    exit_signal integer,
    PRIMARY KEY (pair, leg),
    CONSTRAINT known_reason CHECK (reason IN (
        'no-moves', 'repetition', 'ply-limit', 'adjudicated', 'void', 'illegal-move',
        'timeout', 'disconnected', 'protocol', 'startup', 'off-turn')),
    CONSTRAINT winner_fits CHECK (reason = 'adjudicated' OR
        (winner IS NULL) = (reason IN ('repetition', 'ply-limit', 'void'))),
    CONSTRAINT fault_fits CHECK (
        (seat IS NULL) = (reason IN ('no-moves', 'repetition', 'ply-limit', 'adjudicated',
                                     'void'))
        AND (seat <> winner) IS NOT FALSE)
);

-- What one game may fill. NOT VALID, as in a database of an earlier version, whose games may fill
-- more.
ALTER TABLE game ADD CONSTRAINT texts_are_short CHECK (
    octet_length(detail) <= 1000000 AND octet_length(received) <= 1000000
    AND octet_length(expected) <= 1000000 AND octet_length(stderr) <= 1000000
    AND octet_length(p1_stderr) <= 1000000 AND octet_length(p2_stderr) <= 1000000
    AND octet_length(times) <= 50000000
    AND octet_length(strikes::text) <= 10000000) NOT VALID;

CREATE TABLE annotation (
    pair bigint NOT NULL,
    leg  smallint NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (pair, leg),
    FOREIGN KEY (pair, leg) REFERENCES game
);

-- Games that are recorded and have no number as events yet.
CREATE TABLE recorded (
    id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    pair bigint NOT NULL,
    leg  smallint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- All that happened, numbered from 1 without gaps in the order of the commits: one column says
-- what.
CREATE TABLE event (
    number  bigint PRIMARY KEY,
    entrant integer,
    round   integer,
    pair    bigint,
    leg     smallint
);

CREATE TABLE counter (
    last_event  bigint NOT NULL,
    changes     bigint NOT NULL,                  -- commits that others may want to know of
    is_finished boolean NOT NULL
) WITH (fillfactor = 10);
INSERT INTO counter VALUES (0, 0, false);

-- Whoever plans holds the advisory lock (0x4E696D41, lock), and each that takes it counts term
-- up, by which the plans of its predecessor are refused.
CREATE TABLE planner (
    term bigint NOT NULL,
    lock integer NOT NULL
) WITH (fillfactor = 10);
INSERT INTO planner VALUES (0, 0);

-- The roles of workers and planners, to which grant_roles() gives their rights.
DO $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['nimarena_worker', 'nimarena_planner'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I', wanted);
            EXCEPTION
                WHEN insufficient_privilege THEN NULL;  -- an administrator may do it later
                WHEN duplicate_object OR unique_violation THEN NULL;
            END;
        END IF;
    END LOOP;
END $$;
