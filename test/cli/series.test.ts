import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeSecretsFile } from "../../src/recorder/config/secrets.ts";
import { type Hosted, hosted } from "../guide-server/hosted.ts";
import { commandLine, type Outcome } from "./command-line.ts";

let guide: Hosted;
let folder: string;
let at: readonly string[];
beforeAll(async () => {
  guide = await hosted();
  folder = await mkdtemp(join(tmpdir(), "recorderd-cli-series-"));
  const secrets = join(folder, "secrets.yaml");
  const { email, token } = guide;
  await writeSecretsFile(secrets, { apiKey: "k", account: { email, token } });
  at = ["--url", guide.baseUrl, "--secrets", secrets];
});
afterAll(async () => {
  await guide[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const says = (...args: readonly string[]): Promise<Outcome> =>
  commandLine([...args, ...at], { columns: 100 });
const read = async (...args: readonly string[]) => JSON.parse((await says(...args, "--json")).out);
const device = () => ["--device", String(guide.deviceId)];

it("series commands find, book, change and withdraw a series", async () => {
  expect((await says("series", "search", "new", "THING")).out).toMatch(
    /^series +title +episodes\s+s2 +New thing +1$/,
  );
  const { series_recordings } = await read("series", "add", "s2", "--at", "21:30", ...device());
  expect(series_recordings).toMatchObject([{ series_id: "s2", start_minutes: 1290, channel_id: -1 }]);
  const { id } = series_recordings[0];
  expect((await says("series", "list")).out).toMatch(/New thing +s2 +any +21:30 +Prefer HD/);
  await says("series", "set", String(id), "--channel", "8", "--at", "any", "--quality", "SD Only");
  expect((await says("series", "list")).out).toMatch(/New thing +s2 +8 +any +SD Only/);
  expect(await read("series", "remove", String(id))).toBeNull();
  expect((await says("series", "remove", String(id))).err).toContain(`There is no series recording ${id}.`);
  expect((await says("series", "list")).out).toBe("nothing");
});

it("keyword and favourite commands store both", async () => {
  const { keywords } = await read("keywords", "add", "New", "Thing", ...device());
  const id = String(keywords[0].id);
  await says("keywords", "set", id, "--words", "winter");
  expect(await read("keywords", "list")).toMatchObject({ keywords: [{ keyword: "winter" }] });
  expect((await says("keywords", "remove", id)).out).toBe(`keyword ${id}: removed`);
  expect((await says("keywords", "remove", id)).err).toContain(`There is no keyword ${id}.`);
  expect(await read("series", "favourites", "--add", "s1")).toMatchObject({
    favourites: [{ series_id: "s1" }],
  });
  expect(await read("series", "favourites", "--remove", "s1")).toEqual({ favourites: [] });
});

it("an invalid series command names the remedy", async () => {
  const none = await says("series", "add", "nobody", ...device());
  expect([none.code, none.err]).toEqual([expect.any(Number), expect.stringContaining("no such series")]);
  expect((await says("keywords", "set", "1")).err).toContain("nothing to change");
  expect((await says("series", "add", "s1", "--at", "25:00", ...device())).err).toContain("20:15");
});
