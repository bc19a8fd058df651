#!/bin/sh
# Creates the secrets that docker-compose.yml mounts, each as a file, in ./secrets or the given folder. Existing files
# are kept: after an upgrade, this command adds the new ones.
set -eu
folder=${1:-secrets}
# The folder admits only its owner. The files are readable: containers do not run as root, and mount them one by one.
umask 077
mkdir -p "$folder"
chmod 700 "$folder"

keep() {
  file="$folder/$1"
  if [ ! -s "$file" ]; then
    printf '%s\n' "$2" >"$file"
    chmod 444 "$file"
    echo "Made $file"
  fi
}
random_hex() { od -An -tx1 -N "$1" /dev/urandom | tr -d ' \n'; }
database_url() { echo "postgresql://$1:$(cat "$folder/$2")@postgres:5432/tributary"; }

for name in postgres owner service sandbox_bank temporal grafana; do
  keep "${name}_password" "$(random_hex 24)"
done
keep master_keys "k1:$(head -c 32 /dev/urandom | base64)"
keep sandbox_bank_secret "$(random_hex 32)"
keep owner_database_url "$(database_url tributary owner_password)"
keep service_database_url "$(database_url tributary_service service_password)"
keep sandbox_bank_database_url "$(database_url sandbox_bank sandbox_bank_password)"
