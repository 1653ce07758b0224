import { expect, it } from "vitest";
import { broadcastDesk } from "../../../../src/guide-wire/broadcast.ts";
import { createGuideClient } from "../../../../src/guide-wire/client.ts";
import { createHttpClient } from "../../../../src/kit/http/http.ts";
import { promiseJobsDone } from "../../../../src/kit/time/promises.ts";
import { EIT_PID, GuideTables, SDT_PID } from "../../../../src/mpeg-ts/tables/guide-tables.ts";
import { newParts, requestsOf, servicesOf } from "../../../../src/recorder/subsystems/gather/parts.ts";
import { section, sixteen } from "../../../../src/simulator/broadcaster/section.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { fc } from "../../../properties.ts";

const START = Date.UTC(2026, 10, 20);
const SERVICE = { onid: 1, tsid: 2, sid: 3 };
const MJD = 40_587 + START / 86_400_000;

interface Written {
  readonly tag: number;
  readonly body: readonly number[];
}

function loopOf(all: readonly Written[]): readonly number[] {
  return all.flatMap(({ tag, body }) => [tag, body.length, ...body]);
}

/** One event of the present/following table, and the service with a default authority. */
function tablesOf(ofEvent: readonly Written[], authority: readonly number[]): GuideTables {
  const ids = [...sixteen(SERVICE.tsid), ...sixteen(SERVICE.onid)];
  const tables = new GuideTables();
  const [event, service] = [loopOf(ofEvent), loopOf([{ tag: 0x73, body: authority }])];
  const body = [...sixteen(1), ...sixteen(MJD), 0x12, 0, 0, 1, 0, 0, ...sixteen(event.length), ...event];
  const of = { version: 0, number: 0, lastNumber: 0 };
  tables.section(
    EIT_PID,
    section({ ...of, tableId: 0x4e, extension: SERVICE.sid, body: [...ids, 0, 0x4e, ...body] }),
  );
  const named = [...sixteen(SERVICE.onid), 0xff, ...sixteen(SERVICE.sid), 0xfc, ...sixteen(service.length)];
  tables.section(
    SDT_PID,
    section({ ...of, tableId: 0x42, extension: SERVICE.tsid, body: [...named, ...service] }),
  );
  return tables;
}

/** The bodies of the requests that deliver the tables. */
async function deliver(tables: GuideTables): Promise<readonly string[]> {
  const bodies: string[] = [];
  const http = createHttpClient();
  const desk = broadcastDesk(
    createGuideClient({
      ...{ baseUrl: "http://127.0.0.1", apiKey: "k", applicationVersion: "recorderd/test" },
      ...{ wire: "json", clock: createVirtualClock(START, promiseJobsDone) },
      credentials: () => ({ email: "a@b.example", token: "t" }),
      http: {
        ...http,
        request: ({ body = Buffer.of() }) => {
          bodies.push(Buffer.from(body).toString());
          return Promise.resolve({ kind: "failed", cause: "unreachable", code: "ECONNREFUSED" });
        },
      },
    }),
  );
  const { signal } = new AbortController();
  for (const request of requestsOf(newParts(tables.guide(), new Map(), 0))) {
    await expect(desk.bring(servicesOf(request), signal)).rejects.toMatchObject({
      code: "GUIDE_UNREACHABLE",
    });
  }
  await http.close();
  return bodies;
}

/** A content_identifier_descriptor with one reference. */
function reference(kind: number, text: string): Written {
  return { tag: 0x76, body: [kind << 2, text.length, ...Buffer.from(text)] };
}

it("an event with a content reference id of any length is delivered, without one that is too long", async () => {
  const authority = [...Buffer.from("salt.example")];
  const event = [reference(0x31, `/${"p".repeat(200)}`), reference(0x32, `/${"s".repeat(250)}`)];
  const [body = "", ...more] = await deliver(tablesOf(event, authority));
  expect(more).toEqual([]);
  expect(body).toContain(`crid://salt.example/${"p".repeat(200)}`);
  expect(body).not.toContain("series_crid");
});

it("any descriptors of an event and of its service can be delivered", async () => {
  const byte = fc.integer({ min: 0, max: 255 });
  const bytes = fc.array(byte, { maxLength: 255, size: "max" });
  const written = fc.record({ tag: fc.constantFrom(0x4d, 0x4e, 0x76), body: bytes });
  const referring = fc
    .tuple(
      fc.constantFrom(0x01, 0x02, 0x31, 0x32),
      fc.constantFrom("", "/"),
      fc.integer({ max: 252, min: 0 }),
    )
    .map(([kind, begin, length]) => reference(kind, begin + "x".repeat(length)));
  const descriptors = fc.array(fc.oneof(written, referring), { maxLength: 8 });
  const authority = fc.oneof(
    bytes,
    fc.integer({ min: 0, max: 255 }).map((length) => Array.from({ length }, () => 0x61)),
  );
  await fc.assert(
    fc.asyncProperty(descriptors, authority, async (event, own) => {
      return (await deliver(tablesOf(event, own))).length === 1;
    }),
  );
});
