#!/bin/sh
# pick-ffmpeg.sh FOLDER: copies ffmpeg, ffprobe and the libraries that they load and this system had not before ffmpeg was installed
# (named in FOLDER.had) into FOLDER, with the licences of their packages. What stays behind are drivers of graphics cards.
set -eu
out=$1
mkdir -p "$out"
ldd /usr/bin/ffmpeg /usr/bin/ffprobe | sed -n 's|.* => /\(usr/\)\{0,1\}\(lib[^ ]*\) .*|/usr/\2|p' | sort -u |
  grep -vxFf "$out.had" >"$out.files"
for file in /usr/bin/ffmpeg /usr/bin/ffprobe $(cat "$out.files"); do
  # Under the name that is loaded, without the links that lead from it to the file.
  cp -L --parents "$file" "$out"
  package=$(dpkg -S "$(readlink -f "$file")")
  package=${package%%:*}
  licence=/usr/share/doc/$package/copyright
  [ ! -e "$licence" ] || cp -L --parents "$licence" "$out"
  # Where scanners of images look for packages without a package manager.
  mkdir -p "$out/var/lib/dpkg/status.d"
  dpkg -s "$package" >"$out/var/lib/dpkg/status.d/$package"
done
