#!/bin/sh
# pick-ffmpeg.sh FOLDER: copies ffmpeg, ffprobe and their libraries into FOLDER, with the licences of their packages. It skips libraries
# that were present before ffmpeg was installed (listed in FOLDER.had), and drivers of graphics cards, which ffmpeg does not load.
set -eu
out=$1
mkdir -p "$out"
ldd /usr/bin/ffmpeg /usr/bin/ffprobe | sed -n 's|.* => /\(usr/\)\{0,1\}\(lib[^ ]*\) .*|/usr/\2|p' | sort -u |
  grep -vxFf "$out.had" >"$out.files"
for file in /usr/bin/ffmpeg /usr/bin/ffprobe $(cat "$out.files"); do
  # Each file gets the name under which it is loaded, without symbolic links.
  cp -L --parents "$file" "$out"
  package=$(dpkg -S "$(readlink -f "$file")")
  package=${package%%:*}
  licence=/usr/share/doc/$package/copyright
  [ ! -e "$licence" ] || cp -L --parents "$licence" "$out"
  # Image scanners look here for packages if there is no package manager.
  mkdir -p "$out/var/lib/dpkg/status.d"
  dpkg -s "$package" >"$out/var/lib/dpkg/status.d/$package"
done
