#!/usr/bin/env bash
# Says what changed in the contracts of the tools that ship: contract-changelog.sh OLD [--json]
# OLD is an artifact (tool_registry.json) or a revision, whose tools are built by its own code.
# Status 0 when no caller breaks, 1 when one may, 2 for wrong usage.
set -eu
cd "$(dirname "$0")/.."
python="$PWD/.venv/bin/python"

old="${1:-}"
if [ -z "$old" ]; then
  echo "Name what to compare with: make contract-changelog OLD=v0.1.0 (a revision or an artifact)." >&2
  exit 2
fi
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build NAME: compile the tools of the tree in $work/NAME with its own code. Both trees lie beside
# their artifacts in the same way, so that paths of handlers do not differ.
build() {
  (
    cd "$work/$1"
    tools=src/antiphon/tools
    folders=("$tools")
    [ ! -d "$tools/catalogue" ] || folders+=("$tools/catalogue")
    PYTHONPATH=src "$python" -c 'import sys; from antiphon.cli import main; sys.exit(main())' \
      build "${folders[@]}" --no-cache >"$work/log" 2>&1
  ) || {
    cat "$work/log" >&2
    echo "The $1 tools could not be built; the findings are above." >&2
    exit 2
  }
}

mkdir "$work/old" "$work/new"
if [ -f "$old" ]; then
  cp "$old" "$work/old/tool_registry.json"
elif git rev-parse --quiet --verify "$old^{commit}" >/dev/null; then
  git archive "$old" src | tar -x -C "$work/old"
  build old
else
  echo "$old is neither a file nor a revision of this repository." >&2
  exit 2
fi
cp -r src "$work/new"
build new
"$python" -m antiphon tools diff "$work/old/tool_registry.json" "$work/new/tool_registry.json" "$@"
