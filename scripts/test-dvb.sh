#!/bin/sh
# Runs test/recorder/tune/card.test.ts on a DVB card: the kernel's own virtual one (vidtv), in a virtual machine that sees this
# machine's files, read-only, with what it writes kept in memory. Debian or a child of it, amd64, as root or with sudo;
# installs what it needs. Kernel and modules are kept in node_modules/.cache/recorderd-card, so that only the first run makes them.
set -eu
cd "$(dirname "$0")/.."
tree=$(pwd -P)
# Processors are emulated (no KVM): slow, and the same everywhere. On a busy machine it may take this long.
seconds=900

if [ "$(dpkg --print-architecture 2>/dev/null)" != amd64 ]; then
  echo "test:dvb: needs Debian (or a child of it) on amd64: the kernel and its headers come from there" >&2
  exit 1
fi
as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo"
install() { # install PACKAGE…
  missing=""
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  echo "test:dvb: installing$missing"
  $as_root apt-get update -q >/dev/null
  # shellcheck disable=SC2086 # one word per package is meant
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >/dev/null
}

install qemu-system-x86 busybox-static kmod make xz-utils ffmpeg dvblast
image=$(apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
version=${image#linux-image-}
series=$(echo "$version" | cut -d. -f1,2)
cache=node_modules/.cache/recorderd-card/$version
modules=$cache/lib/modules/$version

if [ ! -f "$cache/ready" ]; then
  echo "test:dvb: making the virtual card for kernel $version"
  install "linux-headers-$version"
  rm -rf "$cache"
  mkdir -p "$cache/down"
  (
    cd "$cache/down"
    apt-get download -q "$image" "linux-source-$series" >/dev/null 2>&1
    dpkg-deb -x "$image"_*.deb ..
    dpkg-deb -x "linux-source-$series"_*.deb .
    tar -xf "usr/src/linux-source-$series.tar.xz" "linux-source-$series/drivers/media/test-drivers/vidtv"
  )
  vidtv=$tree/$cache/down/linux-source-$series/drivers/media/test-drivers/vidtv
  # Debian's kernels are built without it (CONFIG_DVB_TEST_DRIVERS).
  make -s -C "/lib/modules/$version/build" "M=$vidtv" CONFIG_DVB_VIDTV=m modules >"$cache/make.log" 2>&1
  [ -d "$modules" ] || modules=$cache/usr/lib/modules/$version
  mkdir -p "$modules/extra"
  cp "$vidtv"/*.ko "$modules/extra"
  depmod -b "$cache" "$version"
  # What the guest needs, each after what it needs itself.
  mkdir -p "$cache/root/bin" "$cache/root/mod"
  cp /bin/busybox "$cache/root/bin"
  for name in virtio_pci 9pnet_virtio 9p overlay dvb_vidtv_tuner dvb_vidtv_demod dvb_vidtv_bridge; do
    modprobe --show-depends -d "$cache" -S "$version" "$name" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
  done | awk '!seen[$0]++' | while read -r file; do
    cp "$file" "$cache/root/mod"
    case $file in *.xz) unxz "$cache/root/mod/$(basename "$file")" ;; esac
    basename "$file" .xz >>"$cache/root/mod/order"
  done
  cp "$cache"/boot/vmlinuz-* "$cache/vmlinuz"
  rm -rf "$cache/down" "$cache/lib" "$cache/usr" "$cache/boot"
  touch "$cache/ready"
fi

npm run --silent build
cp scripts/test-dvb-guest.sh "$cache/root/init"
chmod +x "$cache/root/init"
printf 'tree=%s\nnode=%s\n' "$tree" "$(command -v node)" >"$cache/root/where"
(cd "$cache/root" && find . | busybox cpio -o -H newc 2>/dev/null | gzip -1) >"$cache/initrd.gz"

log=$cache/last.log
echo "test:dvb: $(qemu-system-x86_64 --version | head -n 1), Linux $version, $(dvblast --version 2>&1 | head -n 1), ffmpeg $(ffmpeg -version | sed -n '1s/ffmpeg version \([^ ]*\).*/\1/p'), Node $(node --version)"
timeout "$seconds" qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 2 -m 3072 \
  -display none -monitor none -serial stdio -no-reboot -nic none \
  -kernel "$cache/vmlinuz" -initrd "$cache/initrd.gz" -append "console=ttyS0 quiet panic=-1" \
  -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap </dev/null 2>&1 |
  tee "$log" || true
grep -q "test:dvb: passed" "$log" || {
  echo "test:dvb: failed, or not over in $seconds s (whole log: $log)" >&2
  exit 1
}
