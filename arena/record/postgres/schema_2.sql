-- Version 2: recording takes as long as its games, however many pairs wait or are leased. Version 1
-- looked all of those up for each game.

DROP FUNCTION IF EXISTS record(integer, bigint[], json);

-- Records games, each once, in the order of their events: their pairs, their legs, and an array
-- of objects with the other columns of game; what is missing is 0, empty, or NULL. Answers for
-- each game 0: it is new, 1: this worker had recorded it, 2: another worker has the pair or has
-- recorded it.
CREATE OR REPLACE FUNCTION record(me integer, pairs bigint[], legs smallint[], games json)
RETURNS smallint[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nimarena, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
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
             -- OFFSET 0: a look-up for each, whatever the planner knows of the tables' sizes.
             CROSS JOIN LATERAL (
                 SELECT FROM task t WHERE t.pair = g.pair AND t.worker IN (0, me)
                     AND t.missing & g.leg <> 0 OFFSET 0) AS is_ours
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
    first := next_event(fresh);
    INSERT INTO event (number, pair, leg)
        SELECT first + n.ordinality - 1, n.pair, n.leg
        FROM unnest(new_pairs, new_legs) WITH ORDINALITY AS n(pair, leg, ordinality);
    RETURN answers;
END $$;

-- nimarena_worker may claim and record. nimarena_planner may do all, too. Run it again once the
-- roles exist.
CREATE OR REPLACE FUNCTION grant_roles() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'nimarena_worker') THEN
        GRANT USAGE ON SCHEMA nimarena TO nimarena_worker;
        GRANT SELECT ON ALL TABLES IN SCHEMA nimarena TO nimarena_worker;
        GRANT EXECUTE ON FUNCTION
            enlist(text, integer, integer, integer, bigint, text, interval),
            renew(integer, double precision), claim(integer, integer),
            release(integer, bigint[]), leave(integer), record(integer, bigint[], smallint[],
            json), build_id(text, text, text), program_hashes(integer, text),
            verify(integer, bigint, smallint, text) TO nimarena_worker;
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
SELECT grant_roles();
