#!/bin/busybox sh
# The first process of the virtual machine that test-dvb.sh starts.
b=/bin/busybox
. /where
$b mkdir -p /proc /sys /dev /tmp /host /over /new
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
while read -r module; do
  $b insmod "/mod/$module" || echo "test:dvb: the guest cannot load $module"
done </mod/order
$b mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=512000 host /host
$b mount -t tmpfs over /over
$b mkdir /over/upper /over/work
$b mount -t overlay -o lowerdir=/host,upperdir=/over/upper,workdir=/over/work root /new
for kind in proc sysfs devtmpfs; do
  case $kind in sysfs) at=/new/sys ;; devtmpfs) at=/new/dev ;; *) at=/new/$kind ;; esac
  $b mount -t "$kind" "$kind" "$at"
done
$b ip link set lo up
# As the log of the daemon asks for: a busy machine loses datagrams otherwise.
echo 4194304 >/proc/sys/net/core/rmem_max
cd /new || exit
echo "test:dvb: the guest is up after $($b cut -d' ' -f1 /proc/uptime) s"
$b chroot /new /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/tmp CI=1 NO_COLOR=1 VIRTUAL_DVB_CARD=1 \
  sh -c 'cd "$1" && exec "$2" node_modules/vitest/vitest.mjs run --maxWorkers=1 --reporter=verbose test/recorder/tune/card.test.ts' sh "$tree" "$node" &&
  echo "test:dvb: passed"
echo "test:dvb: the guest ends after $($b cut -d' ' -f1 /proc/uptime) s"
$b poweroff -f
