import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "../../systemd");
const UNITS = readdirSync(FOLDER).filter((name) => /\.(service|path|timer)$/.test(name));
const SERVICES = UNITS.filter((name) => name.endsWith(".service"));
/** Tenths. What is more is a directive that is missing and not explained. */
const EXPOSURE_MAX = "16";

it("the daemon has the same environment in the image and in its unit", () => {
  const unit = readFileSync(join(FOLDER, "recorderd.service"), "utf8");
  const image = readFileSync(join(FOLDER, "../Dockerfile"), "utf8");
  const settings = (text: string, word: RegExp) => [...text.matchAll(word)].map(([, setting]) => setting);
  const ofUnit = settings(unit, /^Environment=(.*)$/gm);
  expect(ofUnit).toEqual([expect.stringMatching(/^NODE_OPTIONS=/), expect.stringMatching(/^MALLOC_/)]);
  expect(settings(image, /^ENV (.*)$/gm)).toEqual(ofUnit);
});

it("the commands for npm in docs/install.md install every file that the Debian package installs", () => {
  const guide = readFileSync(join(FOLDER, "../docs/install.md"), "utf8");
  const installed = [...guide.matchAll(/^install .*$/gm)].flatMap(
    ([line]) => line.match(/systemd\/\S+/g) ?? [],
  );
  const { bin } = JSON.parse(readFileSync(join(FOLDER, "../package.json"), "utf8"));
  const programs = Object.values(bin as Readonly<Record<string, string>>);
  const covers = (pattern: string, path: string) =>
    pattern.startsWith("systemd/*.") ? path.endsWith(pattern.slice("systemd/*".length)) : pattern === path;
  const all = readdirSync(FOLDER).map((name) => `systemd/${name}`);
  const missing = all.filter(
    (path) => !programs.includes(path) && !installed.some((each) => covers(each, path)),
  );
  expect(missing).toEqual([]);
});

it("the daemon may lower the priority of its threads and jobs, although other calls about resources are refused", () => {
  const unit = readFileSync(join(FOLDER, "recorderd.service"), "utf8");
  const filters = [...unit.matchAll(/^SystemCallFilter=(.*)$/gm)].map(([, calls]) => calls);
  expect(filters.slice(-2)).toEqual(["~@privileged @resources", "setpriority ioprio_set"]);
});

it("members of the service's group may read the recordings, as the README says, and nobody else", () => {
  const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");
  const [, mode = "", group = ""] =
    /^d \/srv\/recordings (\d+) recorderd (\w+)$/m.exec(read("recorderd.tmpfiles.conf")) ?? [];
  const [, masked = ""] = /^UMask=(\d+)$/m.exec(read("recorderd.service")) ?? [];
  expect([mode, group]).toEqual(["0750", "recorderd"]);
  // A file that a program creates for all is then readable for the group.
  expect((0o666 & ~Number.parseInt(masked, 8)).toString(8)).toBe("640");
  const [, install = ""] = read("../README.md").split("\n## Install\n");
  expect(install).toContain("Members of the group `recorderd` may read them");
  expect(install).toContain("`adduser jellyfin recorderd`");
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
if (!hasSystemd) process.stderr.write("skipped: there is no systemd-analyze to check the units with\n");

describe.skipIf(!hasSystemd)("the units", () => {
  it.each(UNITS)("%s has no mistake", (name) => {
    const args = ["verify", "--recursive-errors=no", join(FOLDER, name)];
    const { status, stderr } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it.each(SERVICES)("%s has a low exposure", (name) => {
    const args = [
      "security",
      "--offline=true",
      `--threshold=${EXPOSURE_MAX}`,
      "--no-pager",
      join(FOLDER, name),
    ];
    const { status, stdout } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
    expect(status, stdout).toBe(0);
  });

  it.each(SERVICES)("%s explains each unused directive", (name) => {
    const args = ["security", "--offline=true", "--json=short", join(FOLDER, name)];
    const { stdout } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
    const found = JSON.parse(stdout) as readonly {
      readonly name: string;
      readonly exposure: string | null;
    }[];
    const missing = found
      .filter(({ exposure }) => exposure !== null)
      .map(({ name }) => name.split(/[=/]/)[0] ?? "");
    const comments =
      readFileSync(join(FOLDER, name), "utf8").split("Directives that are not used, and why")[1] ?? "";
    expect(missing.filter((directive) => !comments.includes(directive))).toEqual([]);
  });
});
