import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TUNER_KINDS, TunerConfig } from "../../../src/recorder/tune/registry.ts";

const SRC = join(import.meta.dirname, "../../../src");
const FOLDERS = ["recorder", "dashboard", "cli"];
const DRIVERS = /^recorder\/tune\/drivers\//;
/** Its `file` is what completion offers after an option. */
const COMPLETION = /^cli\/completion\//;

async function sources(): Promise<readonly string[]> {
  const found = await Promise.all(
    FOLDERS.map(async (folder) =>
      (await readdir(join(SRC, folder), { recursive: true })).map((name) => `${folder}/${name}`),
    ),
  );
  return found.flat().filter((name) => /\.tsx?$/.test(name) && !DRIVERS.test(name) && !COMPLETION.test(name));
}

it("only drivers compare with the name of a kind", async () => {
  const names = TUNER_KINDS.map(({ kind }) => kind).join("|");
  const comparison = new RegExp(`(case |kind [=!]== )"(${names})"`);
  const files = await sources();
  expect(files).toContain("recorder/doctor/servers.ts");
  const guilty = await Promise.all(
    files.map(async (name) => (comparison.test(await readFile(join(SRC, name), "utf8")) ? [name] : [])),
  );
  expect(guilty.flat()).toEqual([]);
});

it("kinds have different names", () => {
  expect(new Set(TUNER_KINDS.map(({ kind }) => kind)).size).toBe(TUNER_KINDS.length);
  expect(new Set(TUNER_KINDS.map(({ name }) => name)).size).toBe(TUNER_KINDS.length);
});

it.each(TUNER_KINDS.filter(({ address }) => address !== undefined))(
  "the example of $kind is valid and has an address",
  ({ kind, address }) => {
    const { parse, example, format, channelList } = address ?? expect.unreachable();
    const list = channelList === "required" ? { channelList: "/etc/recorderd/channels.conf" } : {};
    expect(TunerConfig.safeParse({ kind, id: "t", ...parse(example), ...list }).error).toBeUndefined();
    expect(format(parse(example))).toContain(example);
  },
);
