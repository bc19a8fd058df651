#!/bin/sh
# The server reads its password from the environment only.
set -eu
POSTGRES_PWD=$(cat /run/secrets/temporal_password)
export POSTGRES_PWD
exec /etc/temporal/entrypoint.sh
