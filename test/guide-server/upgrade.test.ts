import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openGuideStore } from "../../src/guide-server/data/store.ts";
import { openGuideServer } from "../../src/guide-server/server.ts";
import { decodeDocument } from "../../src/guide-wire/codec.ts";
import type { DocumentKind } from "../../src/guide-wire/documents.ts";
import { silentLog } from "../../src/kit/log.ts";
import { DAY } from "../../src/model/time.ts";
import { createVirtualClock } from "../../src/simulator/virtual-clock.ts";
import { JournalWriter } from "./journal-writer.ts";

/*
 * fixtures/guide-server-1 is what the program of October 2026 left: a household with a box that signed in and a timer, from before
 * households had users, and shows from before their titles were a table.
 */
const OLD = new URL("../fixtures/guide-server-1", import.meta.url);
const THEN = Date.UTC(2026, 9, 5, 9);
const EMAIL = "family@example.org";
const PASSWORD = "correct horse";
/** That of the box. */
const TOKEN = "fOvNZ28BniqBYWEoo14Tujdbfopb89Ep739ii66WZzg";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-upgrade-"));
  await cp(OLD, folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function opened() {
  const server = await openGuideServer({
    dataFolder: folder,
    clock: createVirtualClock(THEN),
    log: silentLog,
  });
  const { baseUrl } = await server.listen({ host: "127.0.0.1", port: 0 });
  const get = async <K extends DocumentKind>(kind: K, path: string, token = TOKEN) => {
    const url = new URL(path, baseUrl);
    url.searchParams.set("email_address", EMAIL);
    url.searchParams.set("token", token);
    return decodeDocument(kind, Buffer.from(await (await fetch(url)).arrayBuffer())).value;
  };
  const login = async (password: string) => {
    const body = JSON.stringify({ member: { email_address: EMAIL, password } });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${baseUrl}/login`, { method: "POST", headers, body });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return answer.ok ? decodeDocument("login", bytes).value.member : answer.status;
  };
  return { get, login, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe("data from a version without users", () => {
  it("gets an owner with the account's credentials, and keeps sessions and timers", async () => {
    for (const _start of ["the first", "the next"]) {
      await using guide = await opened();
      const { timers } = await guide.get("timers", "/shows/timers");
      expect(timers).toMatchObject([{ id: "1", name: "Über die Grenze" }]);
      const member = await guide.login(PASSWORD);
      if (typeof member === "number") throw new Error(`the login was answered with ${member}`);
      expect(member).toMatchObject({ id: "1", email_address: EMAIL });
      const { settings } = await guide.get("settings", "/user/settings", member.token);
      expect(settings).toContainEqual({ name: "rights", value: "owner", type: 2 });
      expect(await guide.login("another")).toBe(401);
    }
  });

  it("finds series by the words of existing titles", async () => {
    await using guide = await opened();
    const titled = async (words: string) =>
      (await guide.get("series", `/series?title=${encodeURIComponent(words)}`)).series_info;
    expect(await titled("grenze ÜBER")).toMatchObject([{ id: "s1" }]);
    expect(await titled("harbour")).toMatchObject([{ id: "s2" }]);
    expect(await titled("nothing")).toEqual([]);
  });
});

it("an upgrade keeps the reports of boxes in the household until the next scan of the box", async () => {
  const triplet = { original_network_id: 1, transport_stream_id: 2, service_id: 3 };
  const told = [
    ["put", "received", { id: "1 1-2-3", accountId: "1", name: "Old", triplet, at: THEN - DAY }],
    ["put", "logs", { id: "1", accountId: "1", at: THEN - DAY, text: "{}" }],
  ];
  const lines = (await readFile(join(folder, "guide.journal"), "utf8"))
    .replace(/^[0-9a-f]{8} /gm, "")
    .split("\n");
  const writer = new JournalWriter();
  const text = [...lines.filter((line) => line !== ""), JSON.stringify(told)];
  await writeFile(join(folder, "guide.journal"), text.map((line) => writer.line(line)).join(""));
  await using server = await openGuideServer({
    dataFolder: folder,
    clock: createVirtualClock(THEN + 1),
    log: silentLog,
  });
  expect(await server.receivedServices(EMAIL)).toEqual([
    expect.not.objectContaining({ deviceId: expect.anything() }),
  ]);
  expect(await server.boxLogs(EMAIL)).toMatchObject([{ text: "{}" }]);
  const { baseUrl } = await server.listen({ host: "127.0.0.1", port: 0 });
  const scans = [{ channel_name: "New", onid: 1, tsid: 2, sid: 4 }];
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ scans }),
  };
  await fetch(`${baseUrl}/scans?email_address=${EMAIL}&token=${TOKEN}&device_id=1`, init);
  expect(await server.receivedServices(EMAIL)).toMatchObject([{ name: "New", deviceId: 1 }]);
});

it("from a later version is rejected with that reason, and left alone", async () => {
  const text = new JournalWriter().line('{"format":"recorderd guide journal","version":5,"snapshot":0}');
  await writeFile(join(folder, "guide.journal"), text);
  await expect(openGuideStore(folder, silentLog)).rejects.toMatchObject({ code: "STORE_TOO_NEW" });
  expect(await readFile(join(folder, "guide.journal"), "utf8")).toBe(text);
});
