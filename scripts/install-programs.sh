#!/bin/sh
# install-programs.sh USE: installs what scripts/programs.txt lists for that use and this machine lacks. Does nothing where all is
# there. Ends with 1 where it may not or cannot install, and says what to install.
set -eu
cd "$(dirname "$0")/.."
use=$1
# Debian keeps programs for administrators where only root's PATH looks.
PATH=$PATH:${SBIN:-/usr/sbin}
# And those of PostgreSQL in a folder for each version.
for version in "${POSTGRESQL:-/usr/lib/postgresql}"/*/bin; do PATH=$PATH:$version; done

is_there() { # is_there PROGRAM | is_there python3:MODULE
  case $1 in
  python3:*) python3 -c "import ${1#*:}" >/dev/null 2>&1 ;;
  *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}
# shellcheck disable=SC1090 # a file of the system
like=$(. "${OS_RELEASE:-/etc/os-release}" 2>/dev/null && echo "${ID:-} ${ID_LIKE:-}") || like=""
package_of() { # package_of PROGRAM DEBIAN FEDORA ARCH: in this distribution; where none is known, the program's name
  case " $like " in
  *" debian "*) package=$2 ;;
  *" fedora "*) package=$3 ;;
  *" arch "*) package=$4 ;;
  *) package=- ;;
  esac
  [ "$package" != - ] || package=${1%%:*}
}

packages="" daemons=""
while read -r uses program debian fedora arch daemon; do
  case ",$uses," in *",$use,"*) ;; *) continue ;; esac
  if is_there "$program"; then continue; fi
  package_of "$program" "$debian" "$fedora" "$arch"
  case " $packages " in *" $package "*) continue ;; esac
  packages="${packages:+$packages }$package"
  [ -z "$daemon" ] || daemons="$daemons $package"
done <scripts/programs.txt
[ -n "$packages" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  echo "setup: please install these packages with your system's package manager, then run this again: $packages" >&2
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
