import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { LedgerFact } from "../../../src/model/ledger.ts";
import { DAY, HOUR, MINUTE } from "../../../src/model/time.ts";
import { openLedger } from "../../../src/recorder/store/ledger.ts";
import { commandLine } from "../command-line.ts";

/** 2026-11-20T20:00:00Z */
const EIGHT = Date.UTC(2026, 10, 20, 20);

let folder: string;
let config: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-why-"));
  config = join(folder, "recorderd.yaml");
  await writeFile(
    config,
    [
      "guide: { url: https://guide.example/api, regionId: 1 }",
      "recordings: { folder: /srv/recordings }",
      "tuners: [{ kind: url, id: roof, services: [{ service: 1/1/1, url: http://192.0.2.1/ }] }]",
      `data: { folder: ${folder} }`,
      "timeZone: Europe/Berlin",
    ].join("\n"),
  );
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const FACTS: readonly LedgerFact[] = [
  { at: EIGHT - 2 * DAY, fact: "started", facts: { offSince: EIGHT - 3 * DAY, running: 0 } },
  {
    at: EIGHT - DAY,
    fact: "ordered",
    timerId: "41",
    recordingId: "r1",
    facts: { name: "News\u001b[2J", channel: "One", start: EIGHT, stop: EIGHT + HOUR },
  },
  { at: EIGHT - 2 * HOUR, fact: "rekeyed", timerId: "42", recordingId: "r1", facts: { before: "41" } },
  { at: EIGHT - HOUR, fact: "due", timerId: "9", recordingId: "r2", facts: { tuner: "other" } },
  {
    at: EIGHT - MINUTE,
    fact: "due",
    timerId: "42",
    recordingId: "r1",
    facts: { tuner: "roof", attempt: "r1.1" },
  },
  {
    at: EIGHT,
    fact: "report-made",
    timerId: "42",
    recordingId: "r1",
    facts: { message: "Not recorded: no lock." },
  },
];

async function ledger(): Promise<void> {
  await mkdir(join(folder, "ledger"));
  await using opened = await openLedger({ folder: join(folder, "ledger") });
  await opened.append(FACTS);
}

it("R-10 why answers from the ledger in the household's time zone, including facts from before a new id", async () => {
  await ledger();
  const { out, code } = await commandLine(["why", "42", "--config", config]);
  expect(code).toBe(0);
  expect(out.split("\n")).toEqual([
    "Timer 42: “News [2J” on One",
    "Not recorded: no lock.",
    "",
    "Thursday 2026-11-19",
    "  21:00  ordered: “News [2J” on One, 21:00–22:00",
    "",
    "Friday 2026-11-20",
    "  19:00  the service gave the event a new timer; the previous one was 41",
    "  20:59  requested tuner roof (attempt r1.1)",
  ]);
});

it("R-10 why prints facts and sentences for scripts", async () => {
  await ledger();
  const { out } = await commandLine(["why", "42", "--config", config, "--json"]);
  expect(JSON.parse(out)).toMatchObject({
    timerId: "42",
    verdict: "Not recorded: no lock.",
    facts: [{ fact: "ordered" }, { fact: "rekeyed" }, { fact: "due" }, { fact: "report-made" }],
  });
});

it("R-10 why says so if the ledger has no facts about a timer, or if there is no ledger", async () => {
  const none = await commandLine(["why", "42", "--config", config]);
  expect(none.code).toBe(66);
  expect(none.err).toContain("There is no ledger to read");
  await ledger();
  const unknown = await commandLine(["why", "77", "--config", config]);
  expect(unknown).toMatchObject({ code: 1, out: "", err: expect.stringContaining("has no timer 77") });
});
