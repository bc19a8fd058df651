#!/bin/sh
# sh tools/with-node.sh PROGRAM [ARGUMENT…]
# Runs a program where `node` is Node 24 or newer: that of the machine, or one that is installed once into a cache outside
# this clone, because `npm ci` deletes node_modules. `exec` leaves no process in between that would have to forward signals.
set -eu

# Compiled code is kept, which takes a third off the start of each process.
: "${NODE_COMPILE_CACHE:=$(cd "$(dirname "$0")/.." && pwd)/node_modules/.cache/tributary/compiled}"
export NODE_COMPILE_CACHE

version=$(node --version)
case $version in
v2[4-9].* | v[3-9][0-9].*) exec "$@" ;;
esac

needs="Tributary needs Node 24 or newer. This machine has Node ${version#v}"
packages=$(dirname "$0")/own-node

refuse() {
  echo "$needs, and $1. Install Node 24 from https://nodejs.org" >&2
  exit 1
}

# Missing where only the result of a build was copied.
[ -d "$packages" ] || refuse 'this copy brings no other'
# A changed lockfile needs a new installation.
digest=$(cksum <"$packages/package-lock.json")
folder=${XDG_CACHE_HOME:-$HOME/.cache}/tributary/own-node-${digest%% *}

if [ ! -d "$folder" ]; then
  echo "$needs; installing one for this project into $folder." >&2
  mkdir -p "$(dirname "$folder")"
  unfinished=$(mktemp -d "$folder.XXXXXX")
  trap 'rm -rf "$unfinished"' EXIT
  cp "$packages/package.json" "$packages/package-lock.json" "$unfinished"
  npm ci --prefix "$unfinished" --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null ||
    refuse 'npm could not install another'
  # Fails when another process was first.
  node -e 'fs.renameSync(...process.argv.slice(1))' "$unfinished" "$folder" 2>/dev/null || true
  rm -rf "$unfinished"
  trap - EXIT
fi

for program in "$folder"/node_modules/node-*/bin/node; do
  own=$("$program" --version 2>/dev/null) || refuse 'npm has none for this platform'
  PATH=$(dirname "$program"):$PATH
done
export PATH
# Not after `npm run --silent`.
[ "${npm_config_loglevel:-}" = silent ] ||
  echo "Running on Node ${own#v} of this project, since this machine has Node ${version#v}." >&2
exec "$@"
