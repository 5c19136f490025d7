#!/usr/bin/env bash
# Makes sure that what the web console is built and tested with is in web/node_modules.
set -eu
cd "$(dirname "$0")/../web"

if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then
  echo "To build and check the console Node.js 20.19 or newer is needed, with npm; it was not found." >&2
  echo "Nobody needs it to use the console: what it is built into is committed." >&2
  exit 1
fi
if ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(+a > 20 || (+a === 20 && +b >= 19) ? 0 : 1)'; then
  echo "To build and check the console Node.js 20.19 or newer is needed; this is $(node --version)." >&2
  exit 1
fi

# npm writes this file last; a newer lock file installs again.
if [ node_modules/.package-lock.json -nt package-lock.json ]; then
  exit 0
fi

echo "Installing what the console is built with ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# As `npm ci`, which however refuses a lock file without the binaries of all other platforms.
if ! timeout 300 npm install --no-save --no-progress >"$log" 2>&1; then
  head -n 40 "$log" >&2
  echo "web/node_modules could not be installed; npm's own words are above." >&2
  exit 1
fi
touch node_modules/.package-lock.json
