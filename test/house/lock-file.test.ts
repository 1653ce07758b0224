import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
const SUPPORTED = { os: "linux", libc: "glibc", cpu: ["x64", "arm64"] };

/** Whether npm may install it on a platform that this project is developed or run on. */
function isForUs({ os, cpu, libc }: Locked): boolean {
  return (
    (os === undefined || os.includes(SUPPORTED.os)) &&
    (libc === undefined || libc.includes(SUPPORTED.libc)) &&
    (cpu === undefined || cpu.some((each) => SUPPORTED.cpu.includes(each)))
  );
}

describe("the lock file", () => {
  it("has a hash of every package for our platforms", () => {
    const without = packages.filter(([, locked]) => locked.integrity === undefined && isForUs(locked));
    expect(without.map(([path]) => path)).toEqual([]);
  });

  it("lacks hashes only of development tools for other platforms", () => {
    const without = packages.filter(([, { integrity }]) => integrity === undefined);
    const isTool = ([path, { dev, optional }]: readonly [string, Locked]) =>
      dev === true && optional === true && /^node_modules\/@(biomejs\/cli|oxc-parser\/binding)-/.test(path);
    expect(without.filter((each) => !isTool(each)).map(([path]) => path)).toEqual([]);
    // To become fewer, never more: scripts/complete-lock.mjs.
    expect(without.length).toBeLessThanOrEqual(23);
  });

  it("has strong hashes, and names no private registry", () => {
    expect(packages.filter(([, { integrity }]) => integrity?.startsWith("sha512-") === false)).toEqual([]);
    const hosts = packages.flatMap(([, { resolved }]) =>
      resolved === undefined ? [] : [new URL(resolved).host],
    );
    expect(hosts.filter((host) => host !== "registry.npmjs.org")).toEqual([]);
  });
});
