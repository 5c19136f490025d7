#!/usr/bin/env bash
# Makes sure that the frameworks which the adapters' tests run on are installed, and AgentDojo, each
# in an environment of its own: they pin what we pin, to other versions.
set -eu

cd "$(dirname "$0")/.."
python=.venv/bin/python
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! "$python" bench/peers/install.py --adapters >"$log" 2>&1; then
  cat "$log" >&2
  echo "The tests of antiphon.adapters and tests/dojo need them." >&2
  exit 1
fi
grep -v ": up to date$" "$log" || true
