import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "./command-line.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-cli-guide-server-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("recorderd guide-server", () => {
  it("serves until it is told to end, and names the address that it is given for clients", async () => {
    const ending = new AbortController();
    const args = [
      "guide-server",
      "--data",
      join(folder, "data"),
      "--public-url",
      "https://guide.example/tv/",
    ];
    let document: unknown;
    const onPrint = async (baseUrl: string) => {
      document = await fetch(`${baseUrl}/openapi.json`).then((answer) => answer.json());
      ending.abort();
    };
    const outcome = await commandLine(args, { signal: ending.signal, onPrint });
    expect(outcome).toMatchObject({ code: 0, out: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
    expect(document).toMatchObject({ servers: [{ url: "https://guide.example/tv" }] });
  });

  it.each([
    ["--public-url", "ftp://guide.example"],
    ["--public-url", "https://guide.example/?a=1"],
    ["--port", "65536"],
    ["--channels", "0"],
  ])("refuses %s %s before it does anything", async (...option) => {
    const args = ["guide-server", "--data", join(folder, "none"), ...option];
    expect(await commandLine(args)).toMatchObject({ code: 64, out: "" });
    expect(await readdir(folder)).not.toContain("none");
  });
});
