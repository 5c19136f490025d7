#!/usr/bin/env bash
# Makes sure that the conformance suites of the Model Context Protocol, and its reference servers, are in
# tests/mcp_conformance/node_modules, with a Node.js that is new enough for them.
set -eu
cd "$(dirname "$0")/../tests/mcp_conformance"

if ! command -v npm >/dev/null 2>&1; then
  echo "To run the conformance suites of MCP npm is needed; it was not found." >&2
  exit 1
fi

# npm writes this file last; a newer lock file installs again.
if [ node_modules/.package-lock.json -nt package-lock.json ]; then
  exit 0
fi

echo "Installing the conformance suites of MCP ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# As `npm ci`, which however refuses a lock file without the binaries of all other platforms.
if ! timeout 300 npm install --no-save --no-progress >"$log" 2>&1; then
  head -n 40 "$log" >&2
  echo "tests/mcp_conformance/node_modules could not be installed; npm's own words are above." >&2
  exit 1
fi
touch node_modules/.package-lock.json
