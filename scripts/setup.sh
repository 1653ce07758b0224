#!/bin/sh
# Makes a fresh checkout ready to run: system programs, npm packages, build. Running it again is quick and harmless.
set -eu
cd "$(dirname "$0")/.."

if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1 ||
  ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'; then
  echo "setup: please install Node.js 20.19 or newer with npm, then run setup again" >&2
  exit 1
fi
sh scripts/install-programs.sh run

# npm ci only when the lock file is newer than what it installed
installed=node_modules/.package-lock.json
if [ ! -f "$installed" ] || [ -n "$(find package-lock.json -newer "$installed")" ]; then
  npm ci --no-audit --no-fund
fi
npm run --silent build
echo "setup: ready"
