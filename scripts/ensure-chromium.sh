#!/usr/bin/env bash
# Makes sure that the browser which the console's tests drive is on this machine.
set -eu

found() {
  command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1
}

if found; then
  exit 0
fi

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "The console's tests need Chromium; none was found." >&2
  echo "Install it; on Debian: sudo apt-get install -y chromium" >&2
  exit 1
fi

echo "Installing Chromium for the console's tests ..."
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { apt-get update -q && apt-get install -y -q --no-install-recommends chromium fonts-dejavu-core; } >"$log" 2>&1; then
  cat "$log" >&2
  echo "Chromium could not be installed; apt-get's own words are above." >&2
  exit 1
fi
if ! found; then
  echo "Debian's chromium was installed, but there is no such command." >&2
  exit 1
fi
