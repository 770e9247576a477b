-- Makes the tables of version 1 or 2, which differ in functions alone, those of tables.sql. Runs
-- after functions.sql, whose evict() it calls.

-- What follows is not to wait for a worker.
SELECT evict(interval '0');

CREATE TABLE recorded (
    id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    pair bigint NOT NULL,
    leg  smallint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE ticket (
    number uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    worker integer NOT NULL UNIQUE REFERENCES worker
);

DROP TABLE verification;

DROP INDEX build_once;
CREATE INDEX build_by_hash
    ON build (hashtextextended(command, 0), hashtextextended(name, 0),
              hashtextextended(executable, 0));

-- NOT VALID: what is there already is not looked at.
ALTER TABLE game ADD CONSTRAINT texts_are_short CHECK (
    octet_length(detail) <= 1000000 AND octet_length(received) <= 1000000
    AND octet_length(expected) <= 1000000 AND octet_length(stderr) <= 1000000
    AND octet_length(p1_stderr) <= 1000000 AND octet_length(p2_stderr) <= 1000000
    AND octet_length(times) <= 50000000
    AND octet_length(strikes::text) <= 10000000) NOT VALID;
