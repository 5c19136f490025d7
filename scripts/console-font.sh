#!/usr/bin/env bash
# Writes web/src/fonts/geist.woff2: Geist for the languages of Western and Central Europe, from regular to bold.
# Its source is files/geist-latin-wght-normal.woff2 of the npm package @fontsource-variable/geist 5.3.0.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet fonttools==4.68.0 brotli==1.2.1
(cd "$work" && npm pack --silent @fontsource-variable/geist@5.3.0 >/dev/null && tar xzf ./*.tgz)
"$work/venv/bin/fonttools" varLib.instancer --quiet "$work/package/files/geist-latin-wght-normal.woff2" wght=400:700 -o "$work/geist.ttf"
"$work/venv/bin/pyftsubset" "$work/geist.ttf" --output-file=web/src/fonts/geist.woff2 --flavor=woff2 --no-hinting \
  --layout-features=kern,tnum,ccmp,locl,mark,mkmk,liga --name-IDs=0,1,2,3,4,5,6,13,14 --notdef-outline \
  --unicodes=U+20-7E,U+A0-17F,U+2013,U+2014,U+2018-201A,U+201C-201E,U+2020,U+2022,U+2026,U+2030,U+2032,U+2033,U+2039,U+203A,U+20AC,U+2122,U+2190-2193,U+2212
cp "$work/package/LICENSE" web/src/fonts/LICENSE.txt
