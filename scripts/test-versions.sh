#!/usr/bin/env bash
# Runs the tests of the core and of the façade on every supported Python that this machine has:
# test-versions.sh [VERSION ...], as `test-versions.sh 3.13`. Status 1 when one of them fails.
set -eu
cd "$(dirname "$0")/.."
tests=(tests/contracts tests/policy tests/registry tests/storage tests/orchestrator tests/testing
  tests/facade tests/test_user_program.py)
extras=catalogue,emulators,otel,postgres,providers,server
needs=(pytest pytest-randomly pytest-timeout hypothesis hypothesis-jsonschema jsonschema mypy)

# find VERSION: print the interpreter; on the path, or installed by pyenv.
find_python() {
  for candidate in "python$1" "$HOME/.pyenv/versions/$1".*/bin/python; do
    if "$candidate" -c 'import ensurepip, venv' >/dev/null 2>&1; then
      echo "$candidate"
      return
    fi
  done
}

[ $# -gt 0 ] || set -- 3.11 3.12 3.13 3.14
failed=0
for version in "$@"; do
  python=$(find_python "$version")
  if [ -z "$python" ]; then
    echo "== Python $version: not on this machine, not tested"
    continue
  fi
  echo "== Python $version ($("$python" -V))"
  folder=.venv/versions/$version
  if [ ! -e "$folder/.installed" ] || [ pyproject.toml -nt "$folder/.installed" ]; then
    "$python" -m venv --clear "$folder"
    "$folder/bin/python" -m pip --disable-pip-version-check --quiet install -c constraints.txt \
      -e ".[$extras]" "${needs[@]}"
    touch "$folder/.installed"
  fi
  "$folder/bin/python" -m pytest -q -p no:cacheprovider "${tests[@]}" || failed=1
done
exit $failed
