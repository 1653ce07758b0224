import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "../command-line.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-cli-xmltv-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function listingFile(programme: string): Promise<string> {
  const file = join(folder, "listing.xml");
  const channel = '<channel id="a"><display-name>A</display-name></channel>';
  await writeFile(file, `<tv>\n${channel}\n${programme}\n</tv>\n`);
  return file;
}

describe("recorderd check-xmltv", () => {
  it("prints nothing for a valid XMLTV listing", async () => {
    const file = await listingFile(
      '<programme start="212611211000 +0000" stop="212611211100 +0000" channel="a"><title>T</title></programme>',
    );
    expect(await commandLine(["check-xmltv", file])).toEqual({
      code: 0,
      out: "",
      err: "1 channels, 1 programmes, 0 complaints",
    });
  });

  it("reports missing optional data without a complaint", async () => {
    const file = await listingFile(
      '<programme start="212611211000 +0000" channel="a"><title>T</title></programme>',
    );
    expect(await commandLine(["check-xmltv", file])).toEqual({
      code: 0,
      out: `${file}:3: it has no stop: it lasts until the next one begins (a guess)`,
      err: "1 channels, 1 programmes, 0 complaints",
    });
  });

  it("says why a valid listing gives the guide nothing", async () => {
    const errOf = async (programme: string) =>
      (await commandLine(["check-xmltv", await listingFile(programme)])).err;
    expect(await errOf("")).toContain("it has no <programme>, only channels (1)");
    const old =
      '<programme start="202011211000 +0000" stop="202011211100 +0000" channel="a"><title>T</title></programme>';
    expect(await errOf(old)).toContain("all of its programmes are over, the last one at 2020-11-21T11:00:00");
  });

  it("prints line and reason of each mistake, and exits with 65", async () => {
    const file = await listingFile(
      '<programme start="212611211000 +0000" stop="212611211100 +0000" channel="a"><title>T</title><title/></prog>',
    );
    const { out, code } = await commandLine(["check-xmltv", file]);
    const lines = ["3: </prog> closes nothing: ignored", "3: <programme> is never closed: closed at </tv>"];
    expect(out).toBe(lines.map((line) => `${file}:${line}`).join("\n"));
    expect(code).toBe(65);
    await listingFile(
      '<programme start="212611211000 +0000" stop="212611211100 +0000" channel="b"><title> </title></programme>',
    );
    const second = await commandLine(["check-xmltv", file]);
    expect(second.out).toBe(`${file}:3: a programme without a title (left out)`);
  });
});

describe("recorderd guide-server", () => {
  it.each([
    [["--xmltv", ""], 64],
    [["--xmltv", "command:"], 64],
    [["--xmltv-schedule", "never"], 64],
    [["--xmltv-channels", "none.txt"], 66],
  ])("refuses %j before any other work", async (options, code) => {
    const args = ["guide-server", "--data", join(folder, "data"), ...options];
    expect(await commandLine(args)).toMatchObject({ code, out: "" });
  });

  it("publishes the given listing in its own region while it answers", async () => {
    const ending = new AbortController();
    const file = await listingFile(
      '<programme start="203011211000" channel="a"><title>T</title></programme>',
    );
    const asked: unknown[] = [];
    const onPrint = async (baseUrl: string) => {
      let channels: Response;
      do channels = await fetch(`${baseUrl}/regions/channels`);
      while (channels.status === 404);
      asked.push(await channels.json());
      ending.abort();
    };
    const args = ["guide-server", "--data", join(folder, "data"), "--port", "0", "--xmltv", file];
    expect(await commandLine(args, { signal: ending.signal, onPrint })).toMatchObject({ code: 0 });
    expect(asked).toMatchObject([
      { regions: [{ id: 1, name: "Home" }], channels: [{ id: 1, name: "A", region_id: 1 }] },
    ]);
  });
});
