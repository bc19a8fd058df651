#!/bin/sh
# Runs once, while the postgres image initializes an empty volume.
set -eu
SECRETS=/run/secrets psql --username "$POSTGRES_USER" --dbname postgres --file /etc/tributary/roles.sql
