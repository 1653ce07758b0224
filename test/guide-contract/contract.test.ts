import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GUIDE_ROUTES } from "../../src/guide-server/http/routes.ts";
import { REFUSAL_CODES } from "../../src/guide-server/refusal.ts";
import type { WireFormat } from "../../src/guide-wire/codec.ts";
import { rejection } from "../guide-wire/loopback.ts";
import { IS_LONG } from "../lane.ts";
import { REFUSALS } from "./calls.ts";
import { openParties, type Parties } from "./parties.ts";
import { CLIENT_CODES, CONTRACT, caseKey, caseName } from "./rows.ts";
import { MADE, type Made } from "./subjects.ts";
import { SUCCESSES } from "./successes.ts";

const WIRES: readonly WireFormat[] = ["json", "xml"];
const CASES = CONTRACT.flatMap((row) =>
  Object.keys(row.statuses).map((text) => ({ row, status: Number(text), key: caseKey(row, Number(text)) })),
);

const ALL_GUIDES = MADE.flatMap((made) => WIRES.map((wire): [WireFormat, Made] => [wire, made]));
/** Each format and each guide once; every pair in the long lane. */
const GUIDES = ALL_GUIDES.filter(([wire, made]) => IS_LONG || WIRES.indexOf(wire) === MADE.indexOf(made));

describe.each(GUIDES)(
  "the guide interface in %s, between our client and our server with a guide made %s",
  (wire, made) => {
    let parties: Parties;
    beforeAll(async () => {
      parties = await openParties(wire, made);
    });
    afterAll(() => parties[Symbol.asyncDispose]());

    for (const { row, status, key } of CASES) {
      it(caseName(row, status, wire), async () => {
        if (status < 300) await SUCCESSES[key]?.(parties);
        else {
          const { call, field, retryAfter } = REFUSALS.get(key) ?? { call: async () => {} };
          const error = await rejection(call(parties));
          const endpoint = expect.stringMatching(`^${row.path.replace(/\{\w+\}/, "[^/]+")}$`);
          expect(error).toMatchObject({ code: CLIENT_CODES[status], name: "RecorderdError" });
          expect((error as { readonly facts: object }).facts).toEqual({
            ...{ method: row.method, endpoint, status, serviceCode: REFUSAL_CODES[status as 404] },
            ...(field === undefined ? {} : { field }),
            ...(retryAfter === undefined ? {} : { retryAfterMs: expect.any(Number) }),
          });
          expect(parties.last()?.answer.status).toBe(status);
        }
        expectFormat(parties);
      });
    }
  },
);

/** Both sides have kept to the format, and the server to what the status asks of its head. */
function expectFormat({ wire, last }: Parties): void {
  const { request, answer } = last() ?? {};
  const { status = 0, headers = {}, body } = answer ?? {};
  expect(request?.headers["accept"]).toBe(`application/${wire}`);
  const sent = request?.headers["content-type"];
  if (request?.body !== undefined && status !== 415) expect(sent).toContain(`application/${wire}`);
  if (body?.length !== 0) expect(headers["content-type"]).toContain(`application/${wire}`);
  if (status === 401) expect(headers["www-authenticate"]).toMatch(/^GuideToken/);
  if (status === 405) expect(headers["allow"]).toMatch(/^GET, HEAD, POST\b/);
  if (status === 415) expect(headers["accept"]).toContain(`application/${wire}`);
  if (status === 429 || status === 503) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
}

describe("the contract", () => {
  it("has a test for every status of every row, and no other", () => {
    const tested = [...REFUSALS.keys(), ...Object.keys(SUCCESSES)];
    expect(tested.sort()).toEqual(CASES.map(({ key }) => key).sort());
  });

  it("lists exactly the statuses that the server declares", () => {
    for (const { method, path, statuses } of CONTRACT) {
      const route = GUIDE_ROUTES.find((one) => one.method === method && one.path === `/${path}`);
      const served = [String(route?.success), ...Object.keys(route?.statuses ?? {})];
      expect([path, ...served.sort()]).toEqual([path, ...Object.keys(statuses)]);
    }
  });

  it("matches docs/dev/guide-contract.md, with every test by name and no empty cell", async () => {
    await promisify(execFile)(process.execPath, ["scripts/make-contract.mjs", "--check"]);
    const page = await readFile("docs/dev/guide-contract.md", "utf8");
    const rows = page.split("\n").filter((line) => /^\| (GET|POST|PUT|DELETE) /.test(line));
    expect(rows).toHaveLength(CASES.length);
    for (const [index, { row, status }] of CASES.entries()) {
      const cells = (rows[index] ?? "")
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      expect(cells).not.toContain("");
      expect(cells.slice(-2)).toEqual(WIRES.map((wire) => caseName(row, status, wire)));
    }
  });
});
