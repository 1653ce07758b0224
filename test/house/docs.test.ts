import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

describe("docs/state-machine.md", () => {
  it("shows the moves that the model allows: node scripts/make-docs.mjs", () => {
    const { stderr } = spawnSync(process.execPath, ["scripts/make-docs.mjs", "--check"], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
  });
});

describe("docs/requirements.md", () => {
  it("names every test of every requirement, and each that must be proven is: node scripts/make-requirements.mjs", () => {
    const { stderr } = spawnSync(process.execPath, ["scripts/make-requirements.mjs", "--check"], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
  });
});

describe("docs/mutations.md", () => {
  it("lists every protection, each of which can still be taken out, with the seed that noticed: npm run mutations", () => {
    const { stderr } = spawnSync(process.execPath, ["scripts/mutations.mjs", "--check"], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
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
  it("describes the route table as it is: npm run build && node scripts/make-openapi.mjs", () => {
    const { stderr } = spawnSync(process.execPath, ["scripts/make-openapi.mjs", "--check"], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
  });
});
