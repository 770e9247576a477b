-- The record of a contest in a database, version 1. Seats and legs count from 1, as p1 and p2
-- do. Times are in microseconds; game.times holds one a move, as varints (LEB128).
--
-- What workers may do, they do by functions, which run with the rights of the schema's owner. A
-- function of a worker first locks the worker's row, so that calls of one worker come one after
-- the other; then rows of task; and last the row of counter, whose lock orders the commits.

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

CREATE TABLE build (
    id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    command    text NOT NULL,
    name       text NOT NULL,
    executable text NOT NULL
);
CREATE UNIQUE INDEX build_once
    ON build (hashtextextended(command, 0), hashtextextended(name, 0), executable);

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

CREATE TABLE annotation (
    pair bigint NOT NULL,
    leg  smallint NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (pair, leg),
    FOREIGN KEY (pair, leg) REFERENCES game
);

-- A game that another worker has played again.
CREATE TABLE verification (
    pair       bigint NOT NULL,
    leg        smallint NOT NULL,
    worker     integer NOT NULL REFERENCES worker,
    difference text NOT NULL CHECK (length(difference) <= 10000),
    PRIMARY KEY (pair, leg, worker),
    FOREIGN KEY (pair, leg) REFERENCES game
);

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

-- ---- what every change ends with ----

-- The number of the first of `events` new events. Its lock is held until the commit.
CREATE FUNCTION next_event(events bigint) RETURNS bigint LANGUAGE sql AS $$
    SELECT pg_notify('nimarena', '');
    UPDATE counter SET last_event = last_event + events, changes = changes + 1
        RETURNING last_event - events + 1;
$$;

-- ---- workers ----

CREATE FUNCTION enlist(machine text, process integer, cores integer, machine_cores integer,
                       speed bigint, version text, lease interval) RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = nimarena, pg_temp AS $$
    INSERT INTO worker (machine, process, cores, machine_cores, speed, version, lease, until)
        VALUES (machine, process, cores, machine_cores, speed, version, lease,
                clock_timestamp() + lease)
        RETURNING id;
$$;

-- Renews the leases of worker `me`, and locks its row. Fails if another role enlisted it.
CREATE FUNCTION renew(me integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp AS $$
BEGIN
    UPDATE worker SET until = clock_timestamp() + lease, seen = clock_timestamp(),
                      is_over = false
        WHERE id = me AND role = session_user;
    IF NOT FOUND THEN
        RAISE 'worker % was not enlisted by the role %', me, session_user
            USING ERRCODE = 'insufficient_privilege';
    END IF;
END $$;

CREATE FUNCTION renew(me integer, now_load double precision) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = nimarena, pg_temp AS $$
    SELECT renew(me);
    UPDATE worker SET load = now_load WHERE id = me;
    UPDATE worker SET earlier = mark, earlier_games = mark_games,
                      mark = clock_timestamp(), mark_games = games
        WHERE id = me AND mark < clock_timestamp() - interval '30 s';
$$;

-- Gives back the pairs of workers whose leases have ended. A worker that records at this moment
-- has locked its row, and is renewed.
CREATE FUNCTION free_ended() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    ended integer[];
BEGIN
    ended := array(SELECT id FROM worker
                   WHERE NOT is_over AND until < clock_timestamp()
                   FOR NO KEY UPDATE SKIP LOCKED);
    IF cardinality(ended) > 0 THEN
        UPDATE task SET worker = 0 WHERE worker = ANY (ended);
        UPDATE worker SET is_over = true WHERE id = ANY (ended);
    END IF;
END $$;

CREATE FUNCTION claim(me integer, most integer)
RETURNS TABLE (pair bigint, stage integer, round integer, pairing integer,
               position_number integer, attempt integer, player1 integer, player2 integer,
               "position" text, missing smallint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
BEGIN
    PERFORM renew(me);
    PERFORM free_ended();
    RETURN QUERY
        WITH next AS MATERIALIZED (
            SELECT t.pair FROM task t WHERE t.worker = 0
            ORDER BY t.stage, t.round, t.pairing, t.position_number, t.attempt
            LIMIT most FOR UPDATE SKIP LOCKED),
        taken AS (
            UPDATE task t SET worker = me FROM next WHERE t.pair = next.pair
            RETURNING t.pair, t.missing)
        SELECT p.id, p.stage, p.round, p.pairing, p.position_number, p.attempt, p.player1,
               p.player2, p.position, taken.missing
        FROM taken JOIN pair p ON p.id = taken.pair
        ORDER BY p.stage, p.round, p.pairing, p.position_number, p.attempt;
END $$;

-- Gives pairs back that were not begun.
CREATE FUNCTION release(me integer, pairs bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp
SET enable_seqscan = off AS $$
BEGIN
    PERFORM renew(me);
    UPDATE task SET worker = 0 WHERE pair = ANY (pairs) AND worker = me;
    PERFORM next_event(0);
END $$;

CREATE FUNCTION leave(me integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp
SET enable_seqscan = off AS $$
BEGIN
    PERFORM renew(me);
    UPDATE task SET worker = 0 WHERE worker = me;
    UPDATE worker SET until = clock_timestamp(), is_over = true WHERE id = me;
    PERFORM next_event(0);
END $$;

-- Records games, each once: `games` is an array of objects with the columns of game, in the
-- order of their events, and `pairs` has their pairs. Answers for each game 0: it is new, 1: this
-- worker had recorded it, 2: another worker has the pair or has recorded it.
CREATE FUNCTION record(me integer, pairs bigint[], games json) RETURNS smallint[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
    new_pairs bigint[];
    new_legs smallint[];
    answers smallint[];
    fresh bigint;
    first bigint;
BEGIN
    PERFORM renew(me);
    PERFORM FROM task WHERE pair = ANY (pairs) ORDER BY pair FOR UPDATE;
    WITH given AS MATERIALIZED (
        SELECT * FROM ROWS FROM (json_to_recordset(games) AS (
            pair bigint, leg smallint, winner smallint, reason text, detail text, moves text,
            times text, p1_seed bigint, p2_seed bigint, started bigint, p1_cpu bigint,
            p2_cpu bigint, p1_off_turn bigint, p2_off_turn bigint, p1_build integer,
            p2_build integer, p1_stderr text, p2_stderr text, p1_strikes integer,
            p2_strikes integer, strikes json, seat smallint, received text, expected text,
            stderr text, exit_code integer, exit_signal integer)) WITH ORDINALITY AS g),
    added AS (
        INSERT INTO game
        SELECT g.pair, g.leg, me, g.winner, g.reason, g.detail, g.moves,
               decode(g.times, 'base64'), g.p1_seed, g.p2_seed, g.started, g.p1_cpu, g.p2_cpu,
               g.p1_off_turn, g.p2_off_turn, g.p1_build, g.p2_build, g.p1_stderr, g.p2_stderr,
               g.p1_strikes, g.p2_strikes, g.strikes, g.seat, g.received, g.expected, g.stderr,
               g.exit_code, g.exit_signal
        FROM given g JOIN task t ON t.pair = g.pair
        WHERE t.worker IN (0, me) AND t.missing & g.leg <> 0 AND g.pair = ANY (pairs)
        ORDER BY g.ordinality
        RETURNING pair, leg)
    SELECT array_agg(pair), array_agg(leg), count(*) INTO new_pairs, new_legs, fresh FROM added;

    IF fresh = json_array_length(games) THEN
        answers := array_fill(0, ARRAY[fresh::integer]);
    ELSE
        answers := array(
            SELECT CASE WHEN n.pair IS NOT NULL THEN 0 WHEN k.worker = me THEN 1 ELSE 2 END
            FROM ROWS FROM (json_to_recordset(games) AS (pair bigint, leg smallint))
                 WITH ORDINALITY AS g
                 LEFT JOIN game k ON k.pair = g.pair AND k.leg = g.leg
                 LEFT JOIN unnest(new_pairs, new_legs) AS n(pair, leg)
                     ON n.pair = g.pair AND n.leg = g.leg
            ORDER BY g.ordinality);
    END IF;

    UPDATE worker SET games = worker.games + fresh,
                      late = late + cardinality(array_positions(answers, 2::smallint))
        WHERE id = me;
    IF fresh = 0 THEN
        RETURN answers;
    END IF;
    DELETE FROM task USING (SELECT n.pair, bit_or(n.leg) AS legs
                            FROM unnest(new_pairs, new_legs) AS n(pair, leg) GROUP BY n.pair) n
        WHERE task.pair = n.pair AND missing & ~n.legs = 0;
    UPDATE task SET missing = missing & ~n.legs
        FROM (SELECT n.pair, bit_or(n.leg) AS legs
              FROM unnest(new_pairs, new_legs) AS n(pair, leg) GROUP BY n.pair) n
        WHERE task.pair = n.pair;
    first := next_event(fresh);
    INSERT INTO event (number, pair, leg)
        SELECT first + n.ordinality - 1, n.pair, n.leg
        FROM unnest(new_pairs, new_legs) WITH ORDINALITY AS n(pair, leg, ordinality);
    RETURN answers;
END $$;

-- The number of this build, which is added where it is new.
CREATE FUNCTION build_id(command text, name text, executable text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp AS $$
#variable_conflict use_variable
BEGIN
    INSERT INTO build (command, name, executable) VALUES (command, name, executable)
        ON CONFLICT DO NOTHING;
    RETURN (SELECT b.id FROM build b
            WHERE hashtextextended(b.command, 0) = hashtextextended(command, 0)
              AND hashtextextended(b.name, 0) = hashtextextended(name, 0)
              AND b.executable = executable);
END $$;

-- The hashes of a player's program: those that are there, or these.
CREATE FUNCTION program_hashes(number integer, hashes text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp AS $$
#variable_conflict use_variable
BEGIN
    INSERT INTO program VALUES (number, hashes) ON CONFLICT DO NOTHING;
    RETURN (SELECT p.hashes FROM program p WHERE p.player = number);
END $$;

-- The game was played again by worker `me`. False: there is no such game of another worker.
CREATE FUNCTION verify(me integer, pair bigint, leg smallint, difference text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp AS $$
#variable_conflict use_variable
BEGIN
    PERFORM renew(me);
    IF NOT EXISTS (SELECT FROM game g WHERE g.pair = pair AND g.leg = leg
                   AND g.worker <> me) THEN
        RETURN false;
    END IF;
    INSERT INTO verification AS v VALUES (pair, leg, me, difference)
        ON CONFLICT ON CONSTRAINT verification_pkey
        DO UPDATE SET difference = excluded.difference;
    PERFORM next_event(0);
    RETURN true;
END $$;

-- ---- planners ----

-- Takes the planner's lock for this connection. Returns the term, or NULL: another one plans. A
-- session that holds the lock and may not plan does so out of malice: another lock is taken.
CREATE FUNCTION lead() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    number integer;
BEGIN
    SELECT p.lock INTO number FROM planner p FOR UPDATE;
    IF NOT pg_try_advisory_lock(1315532097, number) THEN
        IF EXISTS (SELECT FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
                   WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 1315532097
                     AND l.objid = number
                     AND l.database = (SELECT oid FROM pg_database
                                       WHERE datname = current_database())
                     AND has_table_privilege(a.usesysid, 'nimarena.planner', 'UPDATE')) THEN
            RETURN NULL;
        END IF;
        number := number + 1;
        IF NOT pg_try_advisory_lock(1315532097, number) THEN
            RETURN NULL;
        END IF;
    END IF;
    UPDATE planner SET term = term + 1, lock = number RETURNING term INTO number;
    RETURN number;
END $$;

-- ---- roles ----

-- nimarena_worker may claim and record. nimarena_planner may do all, too. Run it again once the
-- roles exist.
CREATE FUNCTION grant_roles() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'nimarena_worker') THEN
        GRANT USAGE ON SCHEMA nimarena TO nimarena_worker;
        GRANT SELECT ON ALL TABLES IN SCHEMA nimarena TO nimarena_worker;
        GRANT EXECUTE ON FUNCTION
            enlist(text, integer, integer, integer, bigint, text, interval),
            renew(integer, double precision), claim(integer, integer),
            release(integer, bigint[]), leave(integer), record(integer, bigint[], json),
            build_id(text, text, text), program_hashes(integer, text),
            verify(integer, bigint, smallint, text) TO nimarena_worker;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'nimarena_planner') THEN
        GRANT USAGE ON SCHEMA nimarena TO nimarena_planner;
        GRANT ALL ON ALL TABLES IN SCHEMA nimarena TO nimarena_planner;
        GRANT ALL ON ALL SEQUENCES IN SCHEMA nimarena TO nimarena_planner;
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA nimarena TO nimarena_planner;
    END IF;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA nimarena FROM PUBLIC;

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
    PERFORM grant_roles();
END $$;
