#!/usr/bin/env bash
# Makes sure that the PostgreSQL server programs the storage tests need are on this machine.
set -eu

found() {
  command -v pg_ctl >/dev/null 2>&1 || compgen -G '/usr/lib/postgresql/*/bin/pg_ctl' >/dev/null
}

if found; then
  exit 0
fi

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "The storage tests need PostgreSQL's server programs (pg_ctl, initdb); none were found." >&2
  echo "Install them; on Debian and Ubuntu: sudo apt-get install -y postgresql" >&2
  exit 1
fi

echo "Installing PostgreSQL for the storage tests ..."
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { apt-get update -q && apt-get install -y -q --no-install-recommends postgresql; } >"$log" 2>&1; then
  cat "$log" >&2
  echo "PostgreSQL could not be installed; apt-get's own words are above." >&2
  exit 1
fi
if ! found; then
  echo "Debian's postgresql was installed, but there is no pg_ctl under /usr/lib/postgresql." >&2
  exit 1
fi
