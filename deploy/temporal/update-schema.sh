#!/bin/sh
# Creates or updates the tables of Temporal in its two databases, which deploy/postgres/roles.sql creates. Safe to repeat.
set -eu
SQL_PASSWORD=$(cat /run/secrets/temporal_password)
export SQL_PASSWORD
for pair in temporal:temporal temporal_visibility:visibility; do
  database=${pair%%:*}
  sql="temporal-sql-tool --plugin postgres12 --ep postgres --port 5432 --user temporal --db $database"
  $sql setup-schema -v 0.0
  $sql update-schema -d "/etc/temporal/schema/postgresql/v12/${pair##*:}/versioned"
done
