#!/bin/sh
# Makes a fresh checkout ready: system programs, npm packages, build. Running it again is quick and harmless.
set -eu
cd "$(dirname "$0")/.."

if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1 ||
  ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'; then
  echo "setup: please install Node.js 20.19 or newer with npm, then run setup again" >&2
  exit 1
fi

packages=""
add() { # add PACKAGE
  case " $packages " in
  *" $1 "*) ;;
  *) packages="${packages:+$packages }$1" ;;
  esac
}
needs() { # needs PROGRAM PACKAGE
  command -v "$1" >/dev/null 2>&1 || add "$2"
}
daemons=""
needs_daemon() { # needs_daemon PROGRAM PACKAGE: only tests start it; where it stands, only root's PATH looks
  command -v "$1" >/dev/null 2>&1 || [ -x "${SBIN:-/usr/sbin}/$1" ] && return
  add "$2"
  daemons="$daemons $2"
}
needs_module() { # needs_module PYTHON-MODULE PACKAGE
  python3 -c "import $1" >/dev/null 2>&1 || add "$2"
}
needs ffmpeg ffmpeg
needs ffprobe ffmpeg
needs dvblast dvblast
needs flock util-linux
# Debian's python3-minimal has python3, but lacks most of the standard library.
needs_module xml.dom.minidom python3
needs chromium chromium
needs_daemon nginx nginx
needs_daemon haproxy haproxy

if [ -n "$packages" ]; then
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: please install these packages with your system's package manager, then run setup again: $packages" >&2
    exit 1
  fi
  if [ "$(id -u)" -eq 0 ]; then
    as_root=""
  elif command -v sudo >/dev/null 2>&1 && sudo -v; then
    as_root="sudo"
  else
    echo "setup: no right to install packages. As root run: apt-get install --no-install-recommends $packages" >&2
    exit 1
  fi
  echo "setup: installing $packages"
  $as_root apt-get update -q
  # With SYSTEMD_OFFLINE, systemctl starts nothing: no web server is to run because tests need its program.
  # shellcheck disable=SC2086 # one word per package is meant
  $as_root env SYSTEMD_OFFLINE=1 DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends $packages
  if [ -n "$daemons" ] && command -v systemctl >/dev/null 2>&1; then
    # shellcheck disable=SC2086 # one word per service is meant
    $as_root systemctl disable --quiet $daemons
  fi
fi

# npm ci only when the lock file is newer than what it installed
installed=node_modules/.package-lock.json
if [ ! -f "$installed" ] || [ -n "$(find package-lock.json -newer "$installed")" ]; then
  npm ci --no-audit --no-fund
fi
npm run --silent build
echo "setup: ready"
