#!/bin/sh
# What `npm run test:container` needs beyond `npm run setup`; on systems without apt-get the test says what is missing.
set -eu
missing=""
needs() { # needs PROGRAM PACKAGE
  command -v "$1" >/dev/null 2>&1 || missing="${missing:+$missing }$2"
}
needs podman podman
needs runc runc
needs debootstrap debootstrap
[ -n "$missing" ] || exit 0
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ]; then
  echo "setup-container: installing $missing"
  apt-get update -q
  # shellcheck disable=SC2086 # one word per package is meant
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
else
  echo "setup-container: not installed: $missing" >&2
fi
