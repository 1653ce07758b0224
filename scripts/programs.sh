# For other scripts: what a test needs beyond `npm run setup`; on systems without apt-get the test says what is missing.
missing=""
needs() { # needs PROGRAM PACKAGE
  command -v "$1" >/dev/null 2>&1 || missing="${missing:+$missing }$2"
}
install_missing() { # install_missing NAME-OF-SCRIPT
  [ -n "$missing" ] || return 0
  if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ]; then
    echo "$1: installing $missing"
    apt-get update -q
    # shellcheck disable=SC2086 # one word per package is meant
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
  else
    echo "$1: not installed: $missing" >&2
  fi
}
