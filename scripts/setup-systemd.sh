#!/bin/sh
# What `npm run test:systemd` needs beyond `npm run setup`.
set -eu
# shellcheck source=scripts/programs.sh
. "$(dirname "$0")/programs.sh"
needs systemd-nspawn systemd-container
needs systemd-analyze systemd
needs dpkg-deb dpkg
needs lintian lintian
needs debootstrap debootstrap
needs nsenter util-linux
needs pkaction polkitd
install_missing setup-systemd
