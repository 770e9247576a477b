-- The functions of a record in a database. What workers may do, they do by functions, which run
-- with the rights of the schema's owner.
--
-- No worker, whatever it does, holds up the planner or another worker. A session may keep its
-- transaction open after any call, and with it all locks. So a function that workers may run
-- locks nothing that others wait for: first its own row of worker, so that calls of one worker
-- come one after the other, and then rows of task that are its own or free, past those that are
-- locked. What all change (the numbers of events, leases that have ended, hashes of programs) is
-- changed by functions of planners alone. A worker is known by a ticket, which only the process
-- that has enlisted it knows.

-- Those of an earlier version.
DO $$
DECLARE
    earlier regprocedure;
BEGIN
    FOR earlier IN SELECT oid FROM pg_proc WHERE pronamespace = 'nimarena'::regnamespace LOOP
        EXECUTE format('DROP ROUTINE %s', earlier);
    END LOOP;
END $$;

-- ---- planners ----

-- Whether this user may plan.
CREATE FUNCTION is_planner() RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT has_table_privilege(session_user, 'nimarena.planner', 'UPDATE');
$$;

-- The number of the first of `events` new events. The lock of counter, held until the commit,
-- orders the commits.
CREATE FUNCTION next_event(events bigint) RETURNS bigint LANGUAGE sql AS $$
    SELECT pg_notify('nimarena', '');
    UPDATE counter SET last_event = last_event + events, changes = changes + 1
        RETURNING last_event - events + 1;
$$;

-- Makes events of what workers have recorded since the last call. By the index, which passes over
-- rows that are gone: of these there are many until the server tidies up.
CREATE FUNCTION number_events() RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    pairs bigint[];
    legs smallint[];
    fresh bigint;
    first bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM recorded) THEN
        RETURN;
    END IF;
    PERFORM FROM counter FOR UPDATE;
    WITH gone AS (DELETE FROM recorded WHERE id > 0 RETURNING id, pair, leg)
    SELECT array_agg(pair ORDER BY id), array_agg(leg ORDER BY id), count(*)
        INTO pairs, legs, fresh FROM gone;
    IF fresh > 0 THEN
        first := next_event(fresh);
        INSERT INTO event (number, pair, leg)
            SELECT first + n.ordinality - 1, n.pair, n.leg
            FROM unnest(pairs, legs) WITH ORDINALITY AS n(pair, leg, ordinality);
    END IF;
END $$;

-- Gives back the pairs of workers whose leases have ended. A worker that records at this moment
-- has locked its row, and is renewed. A claim may have locked a pair that another has taken
-- meanwhile: that one is given back by a later call.
CREATE FUNCTION free_ended() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    ended integer[];
BEGIN
    ended := array(SELECT id FROM worker
                   WHERE NOT is_over AND until < clock_timestamp()
                   FOR NO KEY UPDATE SKIP LOCKED);
    IF cardinality(ended) > 0 THEN
        WITH kept AS MATERIALIZED (
            SELECT t.pair FROM task t WHERE t.worker = ANY (ended) FOR UPDATE SKIP LOCKED)
        UPDATE task SET worker = 0 FROM kept WHERE task.pair = kept.pair;
        UPDATE worker SET is_over = true
            WHERE id = ANY (ended) AND NOT EXISTS (SELECT FROM task WHERE task.worker = id);
    END IF;
END $$;

-- Ends the sessions of workers whose transaction is older than this: it hides the pairs that it has
-- claimed, and keeps the server from tidying up. Those that this user may not end go on.
CREATE FUNCTION evict(longest interval) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    session record;
BEGIN
    FOR session IN
        SELECT a.pid, a.usename, a.client_addr FROM pg_stat_activity a
        WHERE a.datname = current_database() AND a.pid <> pg_backend_pid()
          AND a.xact_start < clock_timestamp() - longest
          AND has_schema_privilege(a.usesysid, 'nimarena', 'USAGE')
          AND NOT has_table_privilege(a.usesysid, 'nimarena.planner', 'UPDATE')
          AND (pg_has_role(a.usesysid, 'USAGE') OR pg_has_role('pg_signal_backend', 'USAGE'))
    LOOP
        RAISE LOG 'nimarena ends a session of % (%): its transaction is older than %',
            session.usename, coalesce(host(session.client_addr), 'local'), longest;
        PERFORM pg_terminate_backend(session.pid);
    END LOOP;
EXCEPTION WHEN insufficient_privilege THEN NULL;
END $$;

-- Whether a session that may plan holds the planner's lock.
CREATE FUNCTION has_leader() RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM planner p JOIN pg_locks l ON l.objid = p.lock
                   JOIN pg_stat_activity a ON a.pid = l.pid
                   WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 1315532097
                     AND l.database = (SELECT oid FROM pg_database
                                       WHERE datname = current_database())
                     AND has_table_privilege(a.usesysid, 'nimarena.planner', 'UPDATE'));
$$;

-- Takes the planner's lock for this connection. Returns the term, or NULL: another one plans. A
-- session that holds the lock and may not plan does so out of malice: another lock is taken, of
-- a number that nobody can guess.
CREATE FUNCTION lead() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    number integer;
    new_term bigint;
BEGIN
    SELECT p.lock INTO number FROM planner p FOR UPDATE;
    WHILE NOT pg_try_advisory_lock(1315532097, number) LOOP
        IF has_leader() THEN
            RETURN NULL;
        END IF;
        number := ('x' || left(gen_random_uuid()::text, 8))::bit(32)::integer & 2147483647;
    END LOOP;
    UPDATE planner SET term = term + 1, lock = number RETURNING term INTO new_term;
    RETURN new_term;
END $$;

-- ---- workers ----

CREATE FUNCTION enlist(machine text, process integer, cores integer, machine_cores integer,
                       speed bigint, version text, lease interval)
RETURNS TABLE (id integer, ticket uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp AS $$
#variable_conflict use_variable
BEGIN
    IF (SELECT count(*) FROM worker w WHERE NOT w.is_over AND w.role = session_user) >= 10000 THEN
        RAISE 'the role % has 10000 workers, expected fewer', session_user
            USING ERRCODE = 'program_limit_exceeded';
    END IF;
    INSERT INTO worker AS w (machine, process, cores, machine_cores, speed, version, lease, until)
        VALUES (machine, process, cores, machine_cores, speed, version, lease,
                clock_timestamp() + lease)
        RETURNING w.id INTO id;
    INSERT INTO ticket AS t (worker) VALUES (id) RETURNING t.number INTO ticket;
    RETURN NEXT;
END $$;

-- Renews the leases of the worker with this ticket, locks its row, and returns its number.
CREATE FUNCTION renew(own uuid) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp AS $$
DECLARE
    me integer;
BEGIN
    UPDATE worker SET until = clock_timestamp() + lease, seen = clock_timestamp(),
                      is_over = false
        WHERE id = (SELECT t.worker FROM ticket t WHERE t.number = own) AND role = session_user
        RETURNING id INTO me;
    IF me IS NULL THEN
        RAISE 'no worker of the role % has this ticket', session_user
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN me;
END $$;

CREATE FUNCTION renew(own uuid, now_load double precision) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp AS $$
DECLARE
    me integer := renew(own);
BEGIN
    UPDATE worker SET load = now_load WHERE id = me;
    UPDATE worker SET earlier = mark, earlier_games = mark_games,
                      mark = clock_timestamp(), mark_games = games
        WHERE id = me AND mark < clock_timestamp() - interval '30 s';
END $$;

CREATE FUNCTION claim(own uuid, most integer)
RETURNS TABLE (pair bigint, stage integer, round integer, pairing integer,
               position_number integer, attempt integer, player1 integer, player2 integer,
               "position" text, missing smallint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
    me integer := renew(own);
BEGIN
    IF is_planner() THEN
        PERFORM free_ended();
    END IF;
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
CREATE FUNCTION release(own uuid, pairs bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp
SET enable_seqscan = off AS $$
DECLARE
    me integer := renew(own);
BEGIN
    UPDATE task SET worker = 0 WHERE pair = ANY (pairs) AND worker = me;
    PERFORM pg_notify('nimarena', '');
END $$;

CREATE FUNCTION leave(own uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp
SET enable_seqscan = off AS $$
DECLARE
    me integer := renew(own);
BEGIN
    UPDATE task SET worker = 0 WHERE worker = me;
    UPDATE worker SET until = clock_timestamp(), is_over = true WHERE id = me;
    PERFORM pg_notify('nimarena', '');
END $$;

-- Records games, each once, in their order: their pairs, their legs, and an array of objects with
-- the other columns of game; what is missing is 0, empty, or NULL. Answers for each game 0: it is
-- new, 1: this worker had recorded it, 2: another worker has the pair or has recorded it.
CREATE FUNCTION record(own uuid, pairs bigint[], legs smallint[], games json)
RETURNS smallint[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
    me integer := renew(own);
    new_pairs bigint[];
    new_legs smallint[];
    answers smallint[];
    fresh bigint;
BEGIN
    IF cardinality(pairs) > 10000 OR octet_length(games::text) > 200000000 THEN
        RAISE 'read % games in % bytes, expected at most 10000 in 200000000', cardinality(pairs),
            octet_length(games::text) USING ERRCODE = 'program_limit_exceeded';
    END IF;
    PERFORM FROM task t WHERE t.pair = ANY (pairs) AND t.worker = me ORDER BY t.pair FOR UPDATE;
    WITH added AS (
        INSERT INTO game
        SELECT g.pair, g.leg, me, g.winner, g.reason, coalesce(g.detail, ''), g.moves,
               decode(g.times, 'base64'), g.p1_seed, g.p2_seed, g.started,
               coalesce(g.p1_cpu, 0), coalesce(g.p2_cpu, 0), coalesce(g.p1_off_turn, 0),
               coalesce(g.p2_off_turn, 0), g.p1_build, g.p2_build, coalesce(g.p1_stderr, ''),
               coalesce(g.p2_stderr, ''), coalesce(g.p1_strikes, 0), coalesce(g.p2_strikes, 0),
               g.strikes, g.seat, coalesce(g.received, ''), coalesce(g.expected, ''),
               coalesce(g.stderr, ''), g.exit_code, g.exit_signal
        FROM ROWS FROM (unnest(pairs), unnest(legs), json_to_recordset(games) AS (
                 winner smallint, reason text, detail text, moves text, times text,
                 p1_seed bigint, p2_seed bigint, started bigint, p1_cpu bigint, p2_cpu bigint,
                 p1_off_turn bigint, p2_off_turn bigint, p1_build integer, p2_build integer,
                 p1_stderr text, p2_stderr text, p1_strikes integer, p2_strikes integer,
                 strikes json, seat smallint, received text, expected text, stderr text,
                 exit_code integer, exit_signal integer)) WITH ORDINALITY AS g(pair, leg)
             -- A look-up for each, whatever the server knows of the tables' sizes. A pair that is
             -- nobody's, and locked, is being claimed.
             CROSS JOIN LATERAL (
                 SELECT FROM task t WHERE t.pair = g.pair AND t.worker IN (0, me)
                     AND t.missing & g.leg <> 0 FOR UPDATE SKIP LOCKED) AS is_ours
        ORDER BY g.ordinality
        RETURNING pair, leg)
    SELECT array_agg(pair), array_agg(leg), count(*) INTO new_pairs, new_legs, fresh FROM added;

    IF fresh = cardinality(pairs) THEN
        answers := array_fill(0, ARRAY[fresh::integer]);
    ELSE
        answers := array(
            SELECT CASE WHEN n.pair IS NOT NULL THEN 0 WHEN k.worker = me THEN 1 ELSE 2 END
            FROM unnest(pairs, legs) WITH ORDINALITY AS g(pair, leg)
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
    INSERT INTO recorded (pair, leg)
        SELECT n.pair, n.leg
        FROM unnest(new_pairs, new_legs) WITH ORDINALITY AS n(pair, leg, ordinality)
        ORDER BY n.ordinality;
    -- The one that numbers them tells the others.
    PERFORM pg_notify('nimarena_recorded', '');
    RETURN answers;
END $$;

-- The number of this build, which is added where it is new.
CREATE FUNCTION build_id(command text, name text, executable text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    number integer;
BEGIN
    IF octet_length(command) > 100000 OR octet_length(name) > 100000
       OR octet_length(executable) > 100000 THEN
        RAISE 'read a build of % bytes, expected at most 100000 for each part',
            greatest(octet_length(command), octet_length(name), octet_length(executable))
            USING ERRCODE = 'program_limit_exceeded';
    END IF;
    SELECT b.id INTO number FROM build b
        WHERE hashtextextended(b.command, 0) = hashtextextended(command, 0)
          AND hashtextextended(b.name, 0) = hashtextextended(name, 0)
          AND hashtextextended(b.executable, 0) = hashtextextended(executable, 0)
          AND b.command = command AND b.name = name AND b.executable = executable
        ORDER BY b.id LIMIT 1;
    IF number IS NULL THEN
        INSERT INTO build AS b (command, name, executable) VALUES (command, name, executable)
            RETURNING b.id INTO number;
    END IF;
    RETURN number;
END $$;

-- The hashes of a player's program as a planner gave them first. Where none has, these, which
-- only a planner leaves there.
CREATE FUNCTION program_hashes(number integer, hashes text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp AS $$
#variable_conflict use_variable
BEGIN
    IF is_planner() THEN
        INSERT INTO program VALUES (number, hashes) ON CONFLICT DO NOTHING;
    END IF;
    RETURN coalesce((SELECT p.hashes FROM program p WHERE p.player = number), hashes);
END $$;

-- ---- roles ----

-- nimarena_worker may claim and record. nimarena_planner may do all, too. Run it again once the
-- roles exist.
CREATE FUNCTION grant_roles() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'nimarena_worker') THEN
        GRANT USAGE ON SCHEMA nimarena TO nimarena_worker;
        GRANT SELECT ON ALL TABLES IN SCHEMA nimarena TO nimarena_worker;
        REVOKE ALL ON ticket FROM nimarena_worker;
        GRANT EXECUTE ON FUNCTION
            enlist(text, integer, integer, integer, bigint, text, interval),
            renew(uuid, double precision), claim(uuid, integer), release(uuid, bigint[]),
            leave(uuid), record(uuid, bigint[], smallint[], json), build_id(text, text, text),
            program_hashes(integer, text), has_leader()
            TO nimarena_worker;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'nimarena_planner') THEN
        GRANT USAGE ON SCHEMA nimarena TO nimarena_planner;
        GRANT ALL ON ALL TABLES IN SCHEMA nimarena TO nimarena_planner;
        GRANT ALL ON ALL SEQUENCES IN SCHEMA nimarena TO nimarena_planner;
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA nimarena TO nimarena_planner;
    END IF;
END $$;

-- A new function may be run by all.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA nimarena FROM PUBLIC;
