import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type NameFacts, nameOf, parseNameTemplate } from "../../../src/recorder/capture/name-template.ts";
import { showNfoOf } from "../../../src/recorder/capture/nfo.ts";
import { createRecordingFiles } from "../../../src/recorder/capture/recording-files.ts";
import { removeFiles } from "../../../src/recorder/subsystems/library/removal.ts";
import { ended, entry } from "../subsystems/library/entries.ts";

const FACTS: NameFacts = {
  title: "The tide",
  subtitle: "Low water",
  season: 2,
  episode: 5,
  channel: "One",
  start: Date.UTC(2026, 10, 20, 9, 30),
  recordingId: "r1",
  timerId: "17",
};
const TEXT = showNfoOf(ended("r1"));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-shows-"));
  await mkdir(join(folder, ".recorderd"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Writes a recording by the template, and the file of its show. */
async function recorded(template: string, facts: NameFacts = FACTS): Promise<string> {
  const parsed = parseNameTemplate(template, "UTC");
  const shelf = createRecordingFiles({
    folder,
    template: parsed,
    ownership: { fileMode: 0o640, folderMode: 0o750 },
  });
  const file = `${join(folder, ...nameOf(parsed, facts))}.ts`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, "x");
  await shelf.writeShowFile(file, facts, TEXT);
  return file;
}

async function files(): Promise<readonly string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  return all
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}

describe("the template that docs/watching.md gives for Kodi and Jellyfin", () => {
  it("gives the folders and names that both document", async () => {
    const page = await readFile("docs/watching.md", "utf8");
    const template = /^ {2}name: "(.*)"$/m.exec(page)?.[1] ?? "";
    const named = (facts: NameFacts) => nameOf(parseNameTemplate(template, "UTC"), facts);
    // Jellyfin, "TV Shows": Series Name/Season 02/Series Name S02E05. Kodi reads S02E05 from the name of the file.
    expect(named(FACTS).slice(0, 2)).toEqual(["The tide", "Season 02"]);
    expect(named(FACTS)[2]).toMatch(/^The tide S02E05 /);
    const { season: _season, episode: _episode, ...unnumbered } = FACTS;
    expect(named(unnumbered)).toHaveLength(2);
  });
});

describe("the tvshow.nfo", () => {
  const TEMPLATE = "{year}/{title}/[Season {season}]/{title} - {start}";

  it("is in the folder that the template names after the show, above its seasons", async () => {
    await recorded(TEMPLATE);
    expect(await files()).toContain(join("2026", "The tide", "tvshow.nfo"));
  });

  it("is below the rule's folder", async () => {
    await recorded(TEMPLATE, { ...FACTS, folder: "Kids" });
    expect(await files()).toContain(join("Kids", "2026", "The tide", "tvshow.nfo"));
  });

  it.each(["{title} - {start}", "{channel}/{title} - {start}", "{title} on {channel}/{start}"])(
    "is not written if the show has no folder of its own: %s",
    async (template) => {
      await recorded(template);
      expect((await files()).filter((name) => name.endsWith("tvshow.nfo"))).toEqual([]);
    },
  );

  it("does not overwrite an existing one", async () => {
    await mkdir(join(folder, "2026", "The tide"), { recursive: true });
    const theirs = join(folder, "2026", "The tide", "tvshow.nfo");
    await writeFile(theirs, "theirs");
    await recorded(TEMPLATE);
    expect(await readFile(theirs, "utf8")).toBe("theirs");
  });

  it("is removed with the show's folders after its last recording", async () => {
    const [first, second] = [await recorded(TEMPLATE), await recorded(TEMPLATE, { ...FACTS, season: 3 })];
    await removeFiles(entry("a", { file: first }), folder);
    expect(await files()).toContain(join("2026", "The tide", "tvshow.nfo"));
    await removeFiles(entry("b", { file: second }), folder);
    expect(await readdir(folder)).toEqual([".recorderd"]);
  });

  it("R-29 stays if someone changed it", async () => {
    const file = await recorded(TEMPLATE);
    const changed = join(folder, "2026", "The tide", "tvshow.nfo");
    await writeFile(changed, TEXT.replace("</title>", "</title>\n  <plot>More</plot>"));
    await removeFiles(entry("a", { file }), folder);
    expect(await files()).toEqual([join("2026", "The tide", "tvshow.nfo")]);
  });
});
