import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

describe("docs/dev/state-machine.md", () => {
  it("shows the transitions of the model: node scripts/make-docs.mjs", () => {
    const { stderr } = spawnSync(process.execPath, ["scripts/make-docs.mjs", "--check"], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
  });
});

describe("docs/dev/limits.md", () => {
  it("has every table of limits of the code", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) =>
      /(?:^|\/)limits\.ts$/.test(name),
    );
    const names = files.flatMap((name) => [
      ...readFileSync(join("src", name), "utf8").matchAll(/^export const (\w+) = \{/gm),
    ]);
    const page = readFileSync("docs/dev/limits.md", "utf8");
    expect(names.length).toBeGreaterThan(files.length);
    expect(names.map(([, name]) => name).filter((name) => !page.includes(`\`${name}\` in `))).toEqual([]);
  });

  it("lists every limit with its effect: npm run build && node scripts/make-limits.mjs", () => {
    const { stderr } = spawnSync(process.execPath, ["scripts/make-limits.mjs", "--check"], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
  });
});

describe("docs/dev/requirements.md", () => {
  it("lists the tests of every requirement, and each mandatory one has a test: node scripts/make-requirements.mjs", () => {
    const { stderr } = spawnSync(process.execPath, ["scripts/make-requirements.mjs", "--check"], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
  });
});

describe("docs/dev/mutations.md", () => {
  it("lists every protection, with a patch that applies and the seed that detects its removal: npm run mutations", () => {
    const { stderr } = spawnSync(process.execPath, ["scripts/mutations.mjs", "--check"], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
  });
});

describe("docs/dev/performance.md and docs/dev/captures.svg", () => {
  it("show the figures of the captures: node scripts/make-performance.mjs", () => {
    const { stderr } = spawnSync(process.execPath, ["scripts/make-performance.mjs", "--check"], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
  });
});

describe("docs/recorderd.1", () => {
  it("lists every command as defined: npm run build && node scripts/make-manual.mjs", () => {
    const { stderr } = spawnSync(process.execPath, ["scripts/make-manual.mjs", "--check"], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
  });

  it.skipIf(spawnSync("mandoc", ["-h"]).error !== undefined)("passes mandoc, if that is installed", () => {
    const { stdout } = spawnSync("mandoc", ["-Tlint", "-Wwarning", "docs/recorderd.1"], {
      encoding: "utf8",
    });
    expect(stdout).toBe("");
  });

  it.skipIf(spawnSync("man", ["--version"]).error !== undefined)("passes man, if that is installed", () => {
    const { stderr, stdout } = spawnSync(
      "man",
      ["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", "docs/recorderd.1"],
      {
        encoding: "utf8",
        maxBuffer: 16 * 1024 * 1024,
        env: { ...process.env, MANROFFSEQ: "" },
      },
    );
    expect(stderr).toBe("");
    expect(stdout).toContain("recorderd");
  });
});

describe("docs/reference.md", () => {
  it("has every key of the configuration and every error code: npm run build && node scripts/make-reference.mjs", () => {
    const { stderr } = spawnSync(process.execPath, ["scripts/make-reference.mjs", "--check"], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
  });
});

describe("docs/openapi.json", () => {
  it("matches the route table: npm run build && node scripts/make-openapi.mjs", () => {
    const { stderr } = spawnSync(process.execPath, ["scripts/make-openapi.mjs", "--check"], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
  });
});
