#!/usr/bin/env bash
# Makes sure that the browser which the console's tests drive is on this machine.
set -eu

# The first is the same browser without windows and menus; the tests take half the time with it.
shell=chromium-headless-shell
others() {
  command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1
}

if command -v $shell >/dev/null 2>&1; then
  exit 0
fi

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  if others; then
    exit 0
  fi
  echo "The console's tests need Chromium; none was found." >&2
  echo "Install it; on Debian: sudo apt-get install -y $shell" >&2
  exit 1
fi

echo "Installing Chromium for the console's tests ..."
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
  apt-get install -y -q --no-install-recommends "$@" fonts-dejavu-core >>"$log" 2>&1
}
if apt-get update -q >"$log" 2>&1 && install $shell; then
  exit 0
fi
if others; then
  echo "$shell could not be installed; the tests drive the whole Chromium, which takes longer."
  exit 0
fi
if ! install chromium; then
  cat "$log" >&2
  echo "Chromium could not be installed; apt-get's own words are above." >&2
  exit 1
fi
if ! others; then
  echo "Debian's chromium was installed, but there is no such command." >&2
  exit 1
fi
