#!/bin/sh
# Runs the README's two commands in bare systems, as people have them who install recorderd first of all. Says how long each took
# and how large the system is then.
#
#   npm run test:fresh [SUITE:USER ...]     bookworm:root trixie:sudo trixie:plain … ; all six when left out
#   FRESH_COMMANDS="start test"             which of the commands are run; quick: what npm test installs, and a few tests
#
# USER: root; sudo, who may install; plain, for whom root installs what setup names. Needs root, debootstrap and the right to mount.
set -eu
cd "$(dirname "$0")/.."
sh scripts/install-programs.sh fresh
commands=${FRESH_COMMANDS:-start test}
home=$PWD/build/fresh

if [ "${1:-}" = --inside ]; then
  # In mounts and processes of our own, which end with us.
  suite=$2 user=$3
  work=$home/work
  root=$work/root
  mkdir -p "$work"
  mount -t tmpfs -o size=8g fresh "$work"
  mkdir "$work/upper" "$work/work" "$root"
  mount -t overlay fresh -o "lowerdir=$home/$suite,upperdir=$work/upper,workdir=$work/work" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --rbind /sys "$root/sys"
  mount -t tmpfs tmp "$root/tmp"
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  # Whom this machine trusts on the way to packages.
  trust=/usr/local/share/trust.crt
  cp "${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}" "$root$trust"
  # Node.js is what the README asks for.
  cp -L "$(command -v node)" "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -r "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  in_root() { # in_root USER LINE
    chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin CI=true NODE_EXTRA_CA_CERTS="$trust" \
      HOME="$folder" USER="$1" su -p "$1" -c "cd $folder/recorderd && $2"
  }
  root_installs_for() { # root_installs_for NPM-SCRIPT: what it names, as a person would do who has no right to install
    if in_root "$account" "npm run $1" >"$work/said" 2>&1; then
      echo "test:fresh: $suite:$user: $1 did not say that it may not install"
      exit 1
    fi
    line=$(sed -n 's/^setup: no right to install packages. As root run: //p' "$work/said")
    if [ -z "$line" ]; then
      tail -n 30 "$work/said"
      exit 1
    fi
    chroot "$root" sh -c "apt-get update -q && DEBIAN_FRONTEND=noninteractive $line -y -q" >"$work/said" 2>&1
  }
  account=root folder=/root
  if [ "$user" != root ]; then
    account=tester folder=/home/tester
    chroot "$root" useradd --create-home --shell /bin/sh tester
    if [ "$user" = sudo ]; then
      chroot "$root" sh -c 'apt-get update -q && apt-get install -y -q --no-install-recommends sudo' >"$work/said" 2>&1
      echo 'tester ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/tester"
    fi
  fi
  git clone --quiet --no-hardlinks "$PWD" "$root$folder/recorderd"
  [ ! -f "$HOME/.npmrc" ] || cp "$HOME/.npmrc" "$root$folder/.npmrc"
  chroot "$root" chown -R "$account" "$folder"
  if [ "$user" = plain ]; then
    root_installs_for setup
    case $commands in *test* | *quick*) root_installs_for setup:tests ;; esac
  fi
  for command in $commands; do
    case $command in
    start) line="npm run setup && npm start -- --once" ;;
    test) line="npm run setup && npm test" ;;
    quick) line="npm run setup && npm run setup:tests && npm run unit -- test/main-job/daemon.test.ts test/house" ;;
    esac
    begun=$(date +%s)
    if in_root "$account" "$line" >"$home/$suite-$user-$command.log" 2>&1; then outcome=passed; else outcome=FAILED; fi
    echo "test:fresh: $suite:$user: $line: $outcome after $(($(date +%s) - begun)) s, $(du -smx "$work/upper" | cut -f1) MB more than the bare system"
    [ "$outcome" = passed ] || exit 1
  done
  exit 0
fi

status=0
for each in ${*:-bookworm:root bookworm:sudo bookworm:plain trixie:root trixie:sudo trixie:plain}; do
  suite=${each%:*} user=${each#*:}
  if [ ! -d "$home/$suite" ]; then
    mkdir -p "$home"
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$home/$suite.part" >"$home/$suite.log" 2>&1
    mv "$home/$suite.part" "$home/$suite"
  fi
  if ! unshare --mount --pid --fork --kill-child sh "$0" --inside "$suite" "$user"; then
    echo "test:fresh: $each FAILED: build/fresh/$suite-$user-*.log"
    status=1
  fi
done
exit $status
