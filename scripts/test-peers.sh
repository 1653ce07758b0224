#!/bin/sh
# Runs test/recorder/tune/peers and test/migration/peers against every real server that is here, and the HDHomeRun emulation against
# Tvheadend as its client; names what it could not try. Mirakurun is installed for the while. minisatip and Tvheadend must be there
# (RECORDERD_MINISATIP, RECORDERD_TVHEADEND, or on the PATH). mpv plays what the recorder serves, and WebKit, the engine of Safari,
# plays it by HLS.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "test:peers: installing mirakurun"
npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --loglevel=error mirakurun@2.15.2 >/dev/null
# Names a program that is not there, and what is not tried without it.
missing() {
  echo "test:peers: NOT TRIED: $1 ($2)"
}
RECORDERD_MPV=$(command -v mpv || true)
export RECORDERD_MPV
[ -n "$RECORDERD_MPV" ] || missing "a player" "apt-get install mpv"
RECORDERD_WEBKIT=$(command -v WebKitWebDriver || true)
export RECORDERD_WEBKIT
[ -n "$RECORDERD_WEBKIT" ] && command -v Xvfb >/dev/null || missing WebKit \
  "apt-get install webkit2gtk-driver gstreamer1.0-plugins-bad gstreamer1.0-libav xvfb"
[ -x "${RECORDERD_MINISATIP:-}" ] || command -v minisatip >/dev/null || missing minisatip "RECORDERD_MINISATIP=/path/of/minisatip"
[ -x "${RECORDERD_TVHEADEND:-}" ] || command -v tvheadend >/dev/null || missing Tvheadend "RECORDERD_TVHEADEND=/path/of/tvheadend"
command -v vdr >/dev/null || missing VDR "apt-get install vdr vdr-plugin-satip"
missing "mirakc, an HDHomeRun, a box with Enigma2" "no test of them here"
RECORDERD_MIRAKURUN="$folder/node_modules/.bin/mirakurun" npx vitest run test/recorder/tune/peers \
  test/recorder/subsystems/hdhomerun/peers test/recorder/subsystems/playback/peers test/migration/peers --maxWorkers=1 --reporter=verbose
