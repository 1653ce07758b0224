#!/bin/sh
# Runs test/tune/peers against real servers. Mirakurun is installed for the while; minisatip must be there
# (RECORDERD_MINISATIP, or on the PATH): no package has it. mpv plays what the recorder serves, where it is there (apt-get install mpv).
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "test:peers: installing mirakurun"
npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --loglevel=error mirakurun@2.15.2 >/dev/null
RECORDERD_MPV=$(command -v mpv || true)
export RECORDERD_MPV
[ -n "$RECORDERD_MPV" ] || echo "test:peers: no player is tried: mpv is not there"
RECORDERD_MIRAKURUN="$folder/node_modules/.bin/mirakurun" npx vitest run test/tune/peers --reporter=verbose
