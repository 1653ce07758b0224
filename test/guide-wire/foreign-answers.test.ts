import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { guideAccount } from "../../src/guide-wire/account.ts";
import { decodeDocument } from "../../src/guide-wire/codec.ts";
import type { DocumentKind } from "../../src/guide-wire/documents.ts";
import { GUIDE_WIRE_LIMITS } from "../../src/guide-wire/limits.ts";
import { clientOf, loopback, rejection, signal, TIMER } from "./loopback.ts";

/** Services that were not written by us: what they mean is plain, how they say it is their own. */

interface Spoken {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** The outcome of a request for the list and of a report, both with this answer. */
async function heard({ status = 200, headers = {}, body }: Spoken) {
  await using server = await loopback((_, response) => response.writeHead(status, headers).end(body));
  await using side = clientOf(`${server.origin}/api`);
  const account = guideAccount(side.client, { regionId: 1 });
  const list = account.timers(signal).then(
    ({ timers, malformed }) => [...timers.map(({ id }) => id), ...malformed.map(({ reason }) => reason)],
    (error: { readonly code: string; readonly message: string }) => `${error.code} ${error.message}`,
  );
  const told = account.tell("7", { state: "failed", message: "x" }, signal).then(
    () => "delivered",
    (error: { readonly code: string }) => error.code,
  );
  return { list: await list, told: await told };
}

const LIST = JSON.stringify({ timers: [TIMER] });
const XML = Object.entries(TIMER).map(([name, value]) => `${name}="${value}"`);
const ELEMENT = `<timer ${XML.join(" ")}/>`;

const PHP_HTML =
  "<br />\n<b>Notice</b>:  Undefined index: x in <b>/var/www/a.php</b> on line <b>12</b><br />\n";

describe("R-11 a list", () => {
  it.each<readonly [string, Spoken]>([
    ["packed by gzip", { body: gzipSync(LIST), headers: { "content-encoding": "gzip" } }],
    ["packed by deflate", { body: deflateSync(LIST), headers: { "content-encoding": "deflate" } }],
    ["packed by deflate, bare", { body: deflateRawSync(LIST), headers: { "content-encoding": "deflate" } }],
    ["packed by brotli", { body: brotliCompressSync(LIST), headers: { "content-encoding": "BR, identity" } }],
    ["behind warnings of PHP", { body: `${PHP_HTML}PHP Warning:  x in /a.php on line 3\n\n${LIST}` }],
    ["in XML behind a warning of PHP", { body: `${PHP_HTML}<shows>${ELEMENT}</shows>` }],
    ["with the zero that ends a text in C", { body: `${LIST}\0` }],
    ["with an unknown coding", { body: LIST, headers: { "content-encoding": "utf-8" } }],
    ["called a web page", { body: LIST, headers: { "content-type": "text/html; charset=utf-8" } }],
    ["in XML with prefixes", { body: `<g:shows xmlns:g="u">${ELEMENT.replace("<", "<g:")}</g:shows>` }],
    ["in XML, in an element of its own", { body: `<shows><timers>${ELEMENT}</timers></shows>` }],
    ["with an empty action", { body: JSON.stringify({ timers: { ...TIMER, action: "" } }) }],
    ["as an object, as PHP writes one with gaps", { body: JSON.stringify({ timers: { "3": TIMER } }) }],
    ["named after its records", { body: JSON.stringify({ timer: [TIMER] }) }],
  ])("is read %s", async (_, spoken) => {
    expect((await heard(spoken)).list).toEqual(["7"]);
  });

  it("is refused at once behind a thousand warnings that end in no document", async () => {
    const body = `${"Warning: x on line 1 ".repeat(1000)}x`;
    expect((await heard({ body })).list).toMatch(/^GUIDE_DOCUMENT_INVALID /);
  });

  it("is empty if it is null", async () => {
    expect((await heard({ body: '{"timers":null}' })).list).toEqual([]);
  });

  it.each<readonly [string, Spoken]>([
    ["error document", { body: '{"error":{"status":503,"code":"x","message":"db"}}' }],
    ["error beside an empty list", { body: '{"errors":[{"error_msg":"db","error_code":503}],"timers":[]}' }],
    ["failure without a status", { body: '{"success":false,"timers":[]}' }],
    ["error as true", { body: '{"error":true,"error_msg":"not now"}' }],
    ["status in words", { body: '{"status":"error","message":"not now"}' }],
    ["error in a word", { body: '{"error":"database down"}' }],
    ["error in XML", { body: '<?xml version="1.0"?><error>db</error>' }],
  ])(
    "is unknown, and a report is not delivered, if the answer is 200 with an %s (R-08)",
    async (_, spoken) => {
      const { list, told } = await heard(spoken);
      expect([list, told]).toEqual([
        expect.stringMatching(/^GUIDE_UNAVAILABLE .* 200 /),
        "GUIDE_UNAVAILABLE",
      ]);
    },
  );

  it.each(['{"error":{"code":0,"message":"OK"},"timers":[]}', '{"error":{"status":"200"},"timers":[]}'])(
    "is empty beside the error number of success: %s",
    async (body) => expect(await heard({ body })).toEqual({ list: [], told: "delivered" }),
  );

  it("counts beside a warning", async () => {
    expect(await heard({ body: JSON.stringify({ errors: [{}], timers: [TIMER] }) })).toEqual({
      list: ["7"],
      told: "delivered",
    });
  });

  it.each<readonly [string, Spoken]>([
    ["words of a web server", { body: "404 page not found\n", headers: { "content-type": "text/plain" } }],
    ["a page that declares itself as XML", { body: '<?xml version="1.0"?>\n<!-- x --><html></html>' }],
  ])("is not empty for a 404 with %s", async (_, spoken) => {
    expect((await heard({ ...spoken, status: 404 })).list).toContain("GUIDE_NOT_FOUND");
  });

  it("is not read beyond its limit, however small it was packed", async () => {
    const body = gzipSync(Buffer.alloc(GUIDE_WIRE_LIMITS.bodyBytes + 1, 32));
    const { list } = await heard({ body, headers: { "content-encoding": "gzip" } });
    expect(list).toContain("GUIDE_BODY_TOO_LARGE");
  });

  it("is not unpacked more often than any server packs it", async () => {
    const body = [1, 2, 3, 4].reduce((inner) => gzipSync(inner), Buffer.from('{"timers":[]}'));
    const { list } = await heard({ body, headers: { "content-encoding": "gzip, gzip, gzip, gzip" } });
    expect(list).toContain("GUIDE_DOCUMENT_INVALID");
  });

  it("is asked for nowhere else: a redirection is told with the address, without its query", async () => {
    const location = "https://user:pass@other.example/v2/shows/timers?token=t0ken";
    await using server = await loopback((_, response) => response.writeHead(308, { location }).end());
    await using side = clientOf(server.origin);
    const error = await rejection(side.client.timers(signal));
    expect(error).toMatchObject({ message: expect.stringContaining(" https://other.example/v2; ") });
  });
});

describe("an identifier", () => {
  it.each(["__proto__", "constructor", "toString"])(
    "of a timer may not be %s, the name of a built-in property: it is not even named",
    (id) => {
      const body = Buffer.from(JSON.stringify({ timers: [{ ...TIMER, id }, TIMER] }));
      const { value, malformed } = decodeDocument("timers", body);
      expect([
        value.timers.map((timer) => timer.id),
        malformed.map((entry) => [entry.id, entry.field]),
      ]).toEqual([["7"], [[undefined, "id"]]]);
    },
  );

  it.each([
    ["9223372036854775807", "9223372036854775807"],
    ["-1234567890123456", "-1234567890123456"],
    ['"a\\"1:2345678901234567890"', 'a"1:2345678901234567890'],
    ["7", "7"],
  ])("of %s keeps all its digits", (written, id) => {
    const body = Buffer.from(
      `{"timers":[${JSON.stringify(TIMER).replace('"7"', written)}],"x":0.12345678901234567}`,
    );
    expect(decodeDocument("timers", body).value.timers[0]?.id).toBe(id);
  });
});

describe("a request for one record", () => {
  const CHANGE = { state: "running" };
  const ORDER = { label: "Lounge", type_id: 22 };
  it.each<readonly [DocumentKind, unknown, object]>([
    ["timer-set", { timer: CHANGE }, CHANGE],
    ["timer-set", { timers: { timer: CHANGE } }, CHANGE],
    ["timer-set", { timers: [CHANGE] }, CHANGE],
    ["timer-set", { shows: { timer: [CHANGE] } }, CHANGE],
    ["timer-set", { shows: [CHANGE] }, CHANGE],
    ["timer-set", '<timers><timer state="running"/></timers>', CHANGE],
    ["timer-set", '<timer state="running"/>', CHANGE],
    ["timer-set", '<a:shows xmlns:a="u"><a:timer><a:state>running</a:state></a:timer></a:shows>', CHANGE],
    ["device-set", { device: ORDER }, ORDER],
    ["device-add", { device: ORDER }, { devices: [ORDER] }],
    ["device-add", { devices: { device: ORDER } }, { devices: [ORDER] }],
    ["device-add", '<device label="Lounge" type_id="22"/>', { devices: [ORDER] }],
    ["keyword-set", { keyword: "news" }, { keyword: "news" }],
    ["keyword-set", { keyword: { keyword: "news" } }, { keyword: "news" }],
    [
      "keyword-add",
      '<keywords><keyword device_id="1"> news </keyword></keywords>',
      { device_id: 1, keyword: "news" },
    ],
    [
      "login-request",
      { login: { member: { email_address: "a", password: "b" } } },
      { member: { email_address: "a", password: "b" } },
    ],
  ])("of kind %s is the record, whatever is around it: %j", (kind, written, read) => {
    const body = Buffer.from(typeof written === "string" ? written : JSON.stringify(written));
    expect(decodeDocument(kind, body)).toMatchObject({ value: read, malformed: [] });
    expect(decodeDocument(kind, body).value).toEqual(read);
  });
});
