#!/bin/sh
# What `npm run test:container` needs beyond `npm run setup`.
set -eu
# shellcheck source=scripts/programs.sh
. "$(dirname "$0")/programs.sh"
needs podman podman
needs runc runc
needs debootstrap debootstrap
install_missing setup-container
