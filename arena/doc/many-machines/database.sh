#!/bin/sh
# Makes the database of a record, and the users that play into it:
#   sudo -u postgres sh database.sh HOST NETWORK [DATABASE [WORKER]...]
# HOST: the name under which the machines reach this server; NETWORK: theirs, such as 10.0.0.0/8;
# WORKER: a user for each group of machines that trust each other (default: worker). It runs next to
# PostgreSQL, as its administrator, and asks nothing. It prints a line for the user planner and one
# for each worker, for the file ~/.pgpass of those who shall plan or work. Run again with another
# DATABASE, it makes another record, and gives these users new passwords.
set -eu
if [ $# -lt 2 ]; then
    echo "usage: database.sh HOST NETWORK [DATABASE [WORKER]...]" >&2
    exit 2
fi
host=$1 network=$2 database=${3:-nimarena}
shift 2
if [ $# -gt 0 ]; then shift; fi
if [ $# -eq 0 ]; then set -- worker; fi

psql -qX -v ON_ERROR_STOP=1 -d postgres -v database="$database" <<'SQL'
SELECT format('CREATE ROLE %I', role)
    FROM unnest(ARRAY['nimarena_planner', 'nimarena_worker', 'planner']) role
    WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) \gexec
GRANT nimarena_planner TO planner;
CREATE DATABASE :"database" OWNER planner;
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO nimarena_worker;
ALTER SYSTEM SET listen_addresses = '*';
SQL

# What all users may do, and by which a worker could fill the table of locks or the disk, or end
# the sessions of other workers.
psql -qX -v ON_ERROR_STOP=1 -d "$database" <<'SQL'
SELECT format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', oid::regprocedure),
       format('GRANT EXECUTE ON FUNCTION %s TO nimarena_planner', oid::regprocedure)
    FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
      AND (proname ~ '^(pg_(try_)?advisory_|lo_)' OR
           proname IN ('lowrite', 'pg_terminate_backend', 'pg_cancel_backend')) \gexec
SQL

hba=$(psql -qXAt -d postgres -c 'SHOW hba_file')
# user ROLE: gives it a password, lets it in, and prints the line of ~/.pgpass.
user() {
    password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
    psql -qX -v ON_ERROR_STOP=1 -d postgres -v role="$1" -v password="$password" <<'SQL'
ALTER ROLE :"role" LOGIN PASSWORD :'password';
SQL
    rule="hostssl $database $1 $network scram-sha-256"
    grep -qxF "$rule" "$hba" || echo "$rule" >>"$hba"
    echo "$host:5432:$database:$1:$password"
}

user planner
for worker in "$@"; do
    # The planner may end its sessions. It leaves ten connections to others, and its queries do
    # not fill the disk.
    psql -qX -v ON_ERROR_STOP=1 -d postgres -v worker="$worker" <<'SQL'
SELECT format('CREATE ROLE %I', :'worker')
    WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'worker') \gexec
GRANT nimarena_worker TO :"worker";
GRANT :"worker" TO planner;
ALTER ROLE :"worker" SET temp_file_limit = '1GB';
SELECT format('ALTER ROLE %I CONNECTION LIMIT %s', :'worker',
              greatest(10, current_setting('max_connections')::integer - 10)) \gexec
SQL
    user "$worker"
done
psql -qXAt -d postgres -c 'SELECT pg_reload_conf()' >/dev/null
