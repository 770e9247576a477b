#!/bin/sh
# Makes the database of a record, and the users that play into it:
#   sudo -u postgres sh database.sh HOST NETWORK [DATABASE]
# HOST: the name under which the machines reach this server; NETWORK: theirs, such as 10.0.0.0/8.
# It runs next to PostgreSQL, as its administrator, and asks nothing. It prints two lines, one of the
# user that plans and one of the user that works, each for the file ~/.pgpass of those who shall.
# Run again with another DATABASE, it makes another record, and gives both users new passwords.
set -eu
if [ $# -lt 2 ]; then
    echo "usage: database.sh HOST NETWORK [DATABASE]" >&2
    exit 2
fi
host=$1 network=$2 database=${3:-nimarena}
planner=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
worker=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')

psql -qX -v ON_ERROR_STOP=1 -d postgres \
    -v database="$database" -v planner="$planner" -v worker="$worker" <<'SQL'
SELECT format('CREATE ROLE %I', role) FROM unnest(ARRAY['nimarena_planner', 'nimarena_worker']) role
    WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) \gexec
SELECT format('CREATE ROLE %I', role) FROM unnest(ARRAY['planner', 'worker']) role
    WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) \gexec
ALTER ROLE planner LOGIN PASSWORD :'planner';
ALTER ROLE worker LOGIN PASSWORD :'worker';
GRANT nimarena_planner TO planner;
GRANT nimarena_worker TO worker;
CREATE DATABASE :"database" OWNER planner;
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO nimarena_worker;
ALTER SYSTEM SET listen_addresses = '*';
SQL

hba=$(psql -qXAt -d postgres -c 'SHOW hba_file')
rule="hostssl $database planner,worker $network scram-sha-256"
grep -qxF "$rule" "$hba" || echo "$rule" >>"$hba"
psql -qXAt -d postgres -c 'SELECT pg_reload_conf()' >/dev/null
echo "$host:5432:$database:planner:$planner"
echo "$host:5432:$database:worker:$worker"
