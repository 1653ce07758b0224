// Makes what is handed out, in build/package: the Debian package, the npm package, and what is in them as a CycloneDX document.
// The Debian package needs dpkg-deb and is left out where that is missing; the same commit gives the same bytes.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { isNeeded } from "./needed-files.mjs";
import { documents } from "./package-documents.mjs";

process.chdir(dirname(import.meta.dirname));
const OUT = join(process.cwd(), "build/package");
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const MAINTAINER = "recorderd <recorderd@example.org>";
/** Time of the last commit: no file in a package is newer. */
const epoch = run("git", ["log", "-1", "--format=%ct"]).trim();
process.env.SOURCE_DATE_EPOCH = epoch;

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const modules = productionModules();
const made = [npmPackage(modules), contents()];
if (isProgram("dpkg-deb")) made.push(debianPackage(modules));
else console.error("package: no Debian package is made: dpkg-deb is not installed");
rmSync(modules, { recursive: true });
for (const file of made) console.log(file);

/** The packages that the program needs when it runs, as the lock file says. @returns their folder */
function productionModules() {
  const folder = join(OUT, "modules");
  mkdirSync(folder);
  for (const name of ["package.json", "package-lock.json"]) cpSync(name, join(folder, name));
  run("npm", ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder });
  return folder;
}

function debianPackage(modulesFolder) {
  const root = join(OUT, "debian");
  const at = (path) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    return join(root, path);
  };
  const home = "usr/lib/recorderd";
  cpSync("dist", at(`${home}/dist`), {
    recursive: true,
    filter: (name) => !/\.tsbuildinfo$|\.map$/.test(name),
  });
  cpSync(join(modulesFolder, "node_modules"), at(`${home}/node_modules`), {
    recursive: true,
    filter: isNeeded,
  });
  // The unit once more: the doctor compares it with the one that is installed.
  for (const name of [
    "package.json",
    "config",
    ...["with-notify", "set-wake-alarm", "recorderd.service"].map((name) => `systemd/${name}`),
  ]) {
    cpSync(name, at(`${home}/${name}`), { recursive: true });
  }
  chmodSync(at(`${home}/dist/main.js`), 0o755);
  mkdirSync(at("usr/bin"), { recursive: true });
  symlinkSync("../lib/recorderd/dist/main.js", at("usr/bin/recorderd"));
  for (const name of ["with-notify", "set-wake-alarm"]) {
    symlinkSync(`../lib/recorderd/systemd/${name}`, at(`usr/bin/recorderd-${name}`));
  }
  for (const name of readdirSync("systemd").filter((name) => /\.(service|path|timer)$/.test(name))) {
    cpSync(join("systemd", name), at(`usr/lib/systemd/system/${name}`));
  }
  cpSync("systemd/recorderd.sysusers.conf", at("usr/lib/sysusers.d/recorderd.conf"));
  cpSync("systemd/recorderd.tmpfiles.conf", at("usr/lib/tmpfiles.d/recorderd.conf"));
  cpSync("systemd/recorderd.polkit.rules", at("usr/share/polkit-1/rules.d/recorderd.rules"));
  writeFileSync(
    at("usr/share/man/man1/recorderd.1.gz"),
    gzipSync(readFileSync("docs/recorderd.1"), { level: 9 }),
  );
  const completions = [
    ["bash", "bash-completion/completions/recorderd"],
    ["zsh", "zsh/vendor-completions/_recorderd"],
    ["fish", "fish/vendor_completions.d/recorderd.fish"],
  ];
  for (const [shell, file] of completions) {
    writeFileSync(at(`usr/share/${file}`), run(process.execPath, ["dist/main.js", "completion", shell]));
  }
  const doc = "usr/share/doc/recorderd";
  // No conffile: setup writes the configuration, and an upgrade must not ask about it (Debian policy 10.7.3).
  cpSync("config/recorderd.example.yaml", at(`${doc}/examples/recorderd.yaml`));
  for (const name of ["Dockerfile", "compose.yaml", "compose.dvb.yaml"])
    cpSync(name, at(`${doc}/examples/${name}`));
  for (const name of documents()) cpSync(name, at(`${doc}/${name}`));
  writeFileSync(at(`${doc}/copyright`), readFileSync("LICENSE"));
  writeFileSync(at(`${doc}/changelog.gz`), gzipSync(debianChangelog(), { level: 9 }));
  for (const name of readdirSync("packaging/debian")) {
    cpSync(join("packaging/debian", name), at(`DEBIAN/${name}`));
    chmodSync(at(`DEBIAN/${name}`), 0o755);
  }
  const kib = run("du", ["-sk", "--apparent-size", "--exclude=DEBIAN", root]).split("\t")[0];
  writeFileSync(at("DEBIAN/control"), control(kib));
  run("chmod", ["-R", "u=rwX,go=rX", root]);
  const file = join(OUT, `recorderd_${version}_all.deb`);
  run("dpkg-deb", ["--root-owner-group", "-Zxz", "--build", root, file]);
  rmSync(root, { recursive: true });
  return file;
}

function isProgram(name) {
  return spawnSync(name, ["--version"], { stdio: "ignore" }).error === undefined;
}

function control(installedKib) {
  return [
    "Package: recorderd",
    `Version: ${version}`,
    "Architecture: all",
    `Maintainer: ${MAINTAINER}`,
    `Installed-Size: ${installedKib}`,
    "Depends: nodejs (>= 20.19), ffmpeg",
    "Recommends: dvblast",
    "Suggests: chrony",
    "Section: video",
    "Priority: optional",
    "Description: recorder that turns the timers of a television guide into files",
    " The recorder's side of a cloud television guide: a daemon that turns an account's",
    " timers into verified files. It plans them onto the tuners that there are, proves",
    " from each file what was recorded, and tells the guide service.",
    "",
  ].join("\n");
}

/** dpkg wants one in its own form; what changed is told in CHANGELOG.md. */
function debianChangelog() {
  const date = new Date(Number(epoch) * 1000).toUTCString().replace("GMT", "+0000");
  return `recorderd (${version}) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- ${MAINTAINER}  ${date}\n`;
}

function npmPackage(modulesFolder) {
  return run(process.execPath, ["scripts/npm-package.mjs", join(modulesFolder, "node_modules"), OUT]).trim();
}

function contents() {
  const file = join(OUT, `recorderd-${version}.cdx.json`);
  writeFileSync(file, run("npm", ["sbom", "--sbom-format=cyclonedx", "--omit=dev", "--package-lock-only"]));
  return file;
}

function run(command, args, { cwd = process.cwd() } = {}) {
  return execFileSync(command, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "inherit"],
  });
}
