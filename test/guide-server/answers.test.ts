import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GUIDE_ROUTES } from "../../src/guide-server/http/routes.ts";
import { SERVER_LIMITS } from "../../src/guide-server/limits.ts";
import { HOUR } from "../../src/model/time.ts";
import { WEB_LIMITS } from "../../src/web/limits.ts";
import { GUIDE, type Hosted, hosted, NOW, PASSED_SHOW_ID } from "./hosted.ts";

let guide: Hosted;
beforeAll(async () => {
  guide = await hosted();
});
afterAll(() => guide[Symbol.asyncDispose]());

const XML = "application/xml; charset=UTF-8";
const LATIN = "application/xml; charset=ISO-8859-1";
const JSON_TYPE = "application/json";

describe("the format of an answer", () => {
  it.each([
    ["/regions", {}, JSON_TYPE],
    ["/regions.xml", {}, XML],
    ["/regions.XML", {}, XML],
    ["/regions.xml", { accept: "application/json" }, XML],
    ["/regions.json", { accept: "application/xml" }, JSON_TYPE],
    ["/regions/1/channels.xml", {}, XML],
    ["/regions", { accept: "text/xml" }, XML],
    ["/regions", { accept: "application/json;q=0.5, application/xml;q=0.9" }, XML],
    ["/regions", { accept: "application/xml, application/json" }, XML],
    ["/regions", { accept: "application/xml;q=0, application/json" }, JSON_TYPE],
    ["/regions", { accept: "text/html, */*", "content-type": "application/xml" }, XML],
    ["/regions", { "content-type": "text/xml" }, XML],
    ["/regions", { accept: "application/json", "content-type": "text/xml" }, JSON_TYPE],
    ["/regions", { accept: "image/png" }, JSON_TYPE],
    ["/regions.xml?encoding=ISO-8859-1", {}, LATIN],
    ["/regions.xml", { "accept-charset": "iso-8859-1" }, LATIN],
    ["/regions.xml", { "accept-charset": "utf-8, iso-8859-1;q=0.5" }, XML],
    ["/regions.xml?encoding=utf-8", { "accept-charset": "iso-8859-1" }, XML],
    ["/regions.xml?encoding=EBCDIC", {}, XML],
    ["/nothing/here.xml", {}, XML],
  ])("of %s with %j is %s", async (path, headers, contentType) => {
    const answer = await guide.ask({ method: "GET", path, headers });
    expect(answer.headers["content-type"]).toBe(contentType);
  });

  it("carries every character in ISO-8859-1", async () => {
    const answer = await guide.ask({ method: "GET", path: "/regions/channels.xml?encoding=ISO-8859-1" });
    expect(answer.body.toString("latin1")).toContain('encoding="ISO-8859-1"');
    expect(answer.read("channels").channels[0]?.name).toBe(GUIDE.channels[0]?.name);
    const popular = await guide.ask({ method: "GET", path: "/series/most_popular.xml?encoding=ISO-8859-1" });
    expect(popular.read("popular").series_info[0]?.title).toBe("Nordlichter – été");
  });
});

describe("a request in ISO-8859-1", () => {
  it("is decoded by its declaration, in the header or the first line", async () => {
    const path = `/shows/timers/${await guide.book()}`;
    const shows = '<shows><timer message="été" box_note="behüte"/></shows>';
    for (const [type, text] of [
      ["application/xml; charset=ISO-8859-1", shows],
      ["application/xml", `<?xml version="1.0" encoding="ISO-8859-1"?>${shows}`],
    ]) {
      const headers = { "content-type": type ?? "" };
      const answer = await guide.ask({
        method: "PUT",
        path,
        text: Buffer.from(text ?? "", "latin1"),
        headers,
      });
      expect(answer.read("timers").timers).toMatchObject([{ message: "été", box_note: "behüte" }]);
    }
  });
});

describe("the lists", () => {
  it("of channels include dvb only for a triplet, in both formats", async () => {
    const json = JSON.parse(
      (await guide.ask({ method: "GET", path: "/regions/1/channels" })).body.toString(),
    );
    expect(json.regions).toHaveLength(1);
    expect(json.channels[0].dvb).toEqual([
      { original_network_id: 4112, transport_stream_id: 545, service_id: 544 },
    ]);
    expect(json.channels[1]).not.toHaveProperty("dvb");
    const xml = (await guide.ask({ method: "GET", path: "/regions/1/channels.xml" })).body.toString();
    expect(xml).toContain('<dvb original_network_id="4112" transport_stream_id="545" service_id="544"/>');
    expect(xml.match(/<dvb/g)).toHaveLength(1);
  });

  it("of new shows have the first date in the zone of the account's region, or Coming Soon", async () => {
    const { new_shows, series_info } = (await guide.ask({ method: "GET", path: "/new_shows.xml" })).read(
      "new-shows",
    );
    // 15:00 UTC on Friday is 02:00 on Saturday in Sydney.
    expect(new_shows).toEqual([
      { series_id: "s2", start_date: "Saturday, 21 November 2026", channel_id: 8 },
      { series_id: "s3", start_date: "Coming Soon", channel_id: 0 },
    ]);
    expect(series_info.map(({ id }) => id)).toEqual(["s2", "s3"]);
  });

  it("of new shows have UTC dates if the region's zone is a POSIX string", async () => {
    const member = { email_address: "west@example.org", password: "long enough" };
    await guide.server.addAccount({ email: member.email_address, password: member.password, regionId: 2 });
    const login = await guide.send({ method: "POST", path: "/login", anonymous: true }, "json", {
      kind: "login-request",
      value: { member },
    });
    const path = `/new_shows?email_address=${member.email_address}&token=${login.read("login").member.token}`;
    const { new_shows } = (await guide.ask({ method: "GET", path, anonymous: true })).read("new-shows");
    expect(new_shows[0]?.start_date).toBe("Friday, 20 November 2026");
  });

  it("of shows accept a channel, and can omit timers", async () => {
    await guide.book();
    const path = "/shows?channel_id=8";
    const one = (await guide.ask({ method: "GET", path })).read("shows");
    expect(one.shows.map(({ id, title, series_id }) => [id, title, series_id])).toEqual([
      [13, "New thing", "s2"],
    ]);
    expect(one.channels.map(({ id }) => id)).toEqual([8]);
    expect(one.timers.length).toBeGreaterThan(0);
    const hidden = (await guide.ask({ method: "GET", path: `${path}&hide_timers=1` })).read("shows");
    expect(hidden.timers).toEqual([]);
    const [show] = one.shows;
    expect(show).toMatchObject({
      start: "2026-11-20T15:00:00+00:00",
      stop: "2026-11-20T15:30:00+00:00",
      start_unix: 1795186800,
      stop_unix: 1795188600,
      deleted_record: 0,
    });
  });

  it("of shows accept several channels, and are whole for a time that cannot have come from here", async () => {
    const idsOf = async (query: string) => {
      const { shows } = (await guide.ask({ method: "GET", path: `/shows?hide_timers=1${query}` })).read(
        "shows",
      );
      return shows.map(({ id }) => id);
    };
    const all = await idsOf("");
    const spellings = ["=7,8", "=7,%208", "=7,+8", "=7&channel_id=8", "[]=7&channel_id[]=8"];
    for (const query of spellings.map((spelling) => `&channel_id${spelling}`))
      expect(await idsOf(query)).toEqual(all);
    expect(await idsOf("&channel_id[]=8")).toEqual([13]);
    for (const since of [NOW + HOUR, NOW * 1000]) {
      expect(await idsOf(`&last_update_time=${since / 1000}`)).toEqual(all);
    }
  });

  it("of shows and timers have pages only on request", async () => {
    await using fresh = await hosted();
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) ids.push(await fresh.book());
    const timers = async (query: string) => {
      const answer = await fresh.ask({ method: "GET", path: `/shows/timers${query}` });
      return [answer.read("timers").timers.map(({ id }) => id), answer.headers["x-total-count"]];
    };
    expect(await timers("")).toEqual([ids, undefined]);
    expect(await timers("?per_page=2")).toEqual([ids.slice(0, 2), "3"]);
    expect(await timers("?per_page=2&page=2")).toEqual([ids.slice(2), "3"]);
    expect(await timers("?per_page=2&page=3")).toEqual([[], "3"]);
    expect(await timers("?per_page=0&page=0")).toEqual([ids.slice(0, 1), "3"]);
    for (const all of ["?page=2", "?per_page=many", "?per_page=-1"]) {
      expect(await timers(all)).toEqual([ids, undefined]);
    }
    const shows = await fresh.ask({ method: "GET", path: "/shows?per_page=1&page=1&channel_id=" });
    expect(shows.read("shows").shows.map(({ id }) => id)).toEqual([PASSED_SHOW_ID]);
    expect(shows.read("shows").timers).toHaveLength(3);
    expect(Number(shows.headers["x-total-count"])).toBe(GUIDE.shows.length + 3);
  });

  it("of devices name each type once", async () => {
    await guide.server.addDevice(guide.email, { label: "second", type_id: 1 });
    const { types, devices } = (await guide.ask({ method: "GET", path: "/devices" })).read("devices");
    expect(types.map(({ id }) => id)).toEqual([1]);
    expect(devices.map(({ label }) => label)).toEqual(["Lounge", "second"]);
    expect(devices[0]).toEqual({ id: guide.deviceId, uid: "AA:BB", label: "Lounge", type_id: 1 });
  });
});

describe("devices", () => {
  it("are added in either JSON form and in XML, and Location names the first", async () => {
    const post = (text: string, type: string) =>
      guide.ask({ method: "POST", path: "/devices", text, headers: { "content-type": type } });
    const single = await post('{"label":"a","type_id":"1"}', JSON_TYPE);
    expect(single.read("devices").devices).toHaveLength(1);
    expect(single.headers["location"]).toBeUndefined();
    const two = '<devices><device label="b" type_id="1"/><device label="c" type_id="2" uid="x"/></devices>';
    const added = await post(two, "text/xml");
    const { devices, types } = added.read("devices");
    expect(devices.map(({ label }) => label)).toEqual(["b", "c"]);
    expect(types.map(({ id }) => id)).toEqual([1, 2]);
    expect(added.headers["location"]).toBe(`${guide.baseUrl}/devices/${devices[0]?.id}.xml`);
    const located = await guide.ask({ method: "GET", path: `/devices/${devices[0]?.id}.xml` });
    expect(located.read("devices").devices[0]?.label).toBe("b");
  });

  it("are not added again by a repeated request, however it spells their MAC address", async () => {
    await using fresh = await hosted();
    const post = async (devices: object[]) => {
      const text = JSON.stringify({ devices });
      const { status, read } = await fresh.ask({ method: "POST", path: "/devices", text });
      return status === 201 ? read("devices").devices : status;
    };
    const listed = async () => (await fresh.ask({ method: "GET", path: "/devices" })).read("devices").devices;
    const [known] = await listed();
    const box = { uid: "00:1a:2b:3c:4d:5e", label: "Attic", type_id: 1 };
    const first = await post([box]);
    expect(await post([box])).toEqual(first);
    const [added] = await listed().then((all) => all.slice(1));
    expect(first).toEqual([added]);
    const renamed = [{ ...added, label: "Cellar", type_id: 2 }];
    expect(await post([{ uid: "001A2B3C4D5E", label: "Cellar", type_id: 2 }])).toEqual(renamed);
    expect(await listed()).toEqual([known, ...renamed]);
    const twins = await post([
      { ...box, uid: "x" },
      { ...box, uid: "x", label: "Hall" },
    ]);
    expect(twins).toMatchObject([{ label: "Attic" }, { label: "Hall" }]);
    expect((await listed()).map(({ label }) => label)).toEqual(["Lounge", "Cellar", "Hall"]);
    const room = SERVER_LIMITS.devicesPerAccount - 3;
    const others = Array.from({ length: room }, () => ({ ...box, uid: "00:00:00:00:00:00" }));
    expect(await post(others)).toHaveLength(room);
    expect(await post([box, box])).toHaveLength(2);
    expect(await post([{ ...box, uid: "y" }])).toBe(406);
  });

  it("appear in Location with the public address behind a proxy", async () => {
    await using proxied = await hosted({ publicUrl: "https://guide.example/api/" });
    const added = await proxied.send({ method: "POST", path: "/devices" }, "xml", {
      kind: "device-add",
      value: { devices: [{ label: "a", type_id: 1 }] },
    });
    const id = added.read("devices").devices[0]?.id;
    expect(added.headers["location"]).toBe(`https://guide.example/api/devices/${id}.xml`);
    const document = await proxied.ask({ method: "GET", path: "/openapi.json" });
    expect(JSON.parse(document.body.toString()).servers).toEqual([{ url: "https://guide.example/api" }]);
  });

  it("are added all or none", async () => {
    const count = async () =>
      (await guide.ask({ method: "GET", path: "/devices" })).read("devices").devices.length;
    const before = await count();
    for (const second of [{ label: "y" }, { label: "", type_id: 1 }, { label: "y", type_id: -1 }]) {
      const text = JSON.stringify({ devices: [{ label: "x", type_id: 1 }, second] });
      const answer = await guide.ask({ method: "POST", path: "/devices", text });
      expect(answer.status).toBe(406);
      expect(answer.read("error").error.field).toBe(second.label === "" ? "label" : "type_id");
    }
    expect(await count()).toBe(before);
  });

  it("can change only label and type", async () => {
    const id = await guide.server.addDevice(guide.email, { label: "old", uid: "u", type_id: 1 });
    const text = JSON.stringify({ id: 1, uid: "other", label: "new", type_id: 2 });
    const answer = await guide.ask({ method: "PUT", path: `/devices/${id}`, text });
    const { types, devices } = answer.read("devices");
    expect(devices).toEqual([{ id, uid: "u", label: "new", type_id: 2 }]);
    expect(types.map((type) => type.id)).toEqual([2]);
  });
});

describe("an oversized or invalid request", () => {
  it("is refused with 413 before its body is read, if that exceeds a mebibyte", async () => {
    const text = Buffer.alloc(1024 * 1024 + 1, 0x20);
    const answer = await guide.ask({ method: "POST", path: "/shows/timers.xml", text });
    expect(answer.status).toBe(413);
    expect(answer.read("error").error).toMatchObject({
      code: "too_large",
      message: "A body can have at most 1048576 bytes here.",
    });
  });

  it("is told the limit of the route, which is lower where no session is needed", async () => {
    const text = Buffer.alloc(WEB_LIMITS.openBodyBytes + 1, 0x20);
    const answer = await guide.ask({ method: "POST", path: "/login", text });
    const message = `A body can have at most ${WEB_LIMITS.openBodyBytes} bytes here.`;
    expect(answer.read("error").error).toMatchObject({ code: "too_large", message });
  });

  it.each([
    ["json", `{"show_id":11,"device_id":1,"x":${"[".repeat(10_000)}${"]".repeat(10_000)}}`, "levels"],
    [
      "xml",
      `<shows><timer>${"<a>".repeat(10_000)}${"</a>".repeat(10_000)}</timer></shows>`,
      "inside one another",
    ],
    [
      "xml",
      `<!DOCTYPE x [<!ENTITY a "lol">${"<!ENTITY b '&a;&a;'>".repeat(50)}]><shows><timer show_id="&b;"/></shows>`,
      "DOCTYPE",
    ],
    [
      "xml",
      `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><shows><timer name="&f;"/></shows>`,
      "DOCTYPE",
    ],
  ])("is refused if its body nests or expands too far, in %s", async (wire, text, word) => {
    const headers = { "content-type": `application/${wire}` };
    const answer = await guide.ask({ method: "POST", path: "/shows/timers", text, headers });
    expect(answer.status).toBe(406);
    expect(answer.read("error").error.message).toContain(word);
  });

  it("is refused if its address or method is unknown", async () => {
    expect((await guide.ask({ method: "GET", path: "/shows/timers/1/2" })).status).toBe(404);
    expect((await guide.ask({ method: "GET", path: `/regions/${"9".repeat(400)}` })).status).toBe(404);
    const answer = await guide.ask({ method: "POST", path: "/regions/1" });
    expect([answer.status, answer.headers["allow"]]).toEqual([405, "GET, HEAD"]);
  });

  it("is refused with 415 if its body is compressed", async () => {
    const headers = { "content-type": JSON_TYPE, "content-encoding": "gzip" };
    const text = gzipSync(JSON.stringify({ label: "Lounge", type_id: 1 }));
    const answer = await guide.ask({ method: "POST", path: "/devices", text, headers });
    expect([answer.status, answer.headers["accept-encoding"]]).toEqual([415, "identity"]);
  });

  it("is accepted despite unknown query parameters or an unexpected body", async () => {
    const headers = { "content-type": JSON_TYPE };
    const path = "/shows/timers?application_version=1&foo=bar";
    expect((await guide.ask({ method: "GET", path, text: "{}", headers })).status).toBe(200);
    const id = await guide.book();
    const deleted = await guide.ask({ method: "DELETE", path: `/shows/timers/${id}`, text: "{}", headers });
    expect(deleted.status).toBe(200);
  });
});

describe("the OpenAPI document", () => {
  it("has every route with every status, and schemas for every document", async () => {
    const answer = await guide.ask({ method: "GET", path: "/openapi.json", anonymous: true });
    const document = JSON.parse(answer.body.toString());
    expect(document.openapi).toBe("3.1.0");
    for (const { method, path, success, statuses } of GUIDE_ROUTES) {
      const operation = document.paths[path]?.[method.toLowerCase()];
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining([String(success), ...Object.keys(statuses)]),
      );
    }
    const references = [...answer.body.toString().matchAll(/"#\/components\/schemas\/([\w-]+)"/g)].map(
      ([, name]) => name,
    );
    expect(references.length).toBeGreaterThan(50);
    for (const name of references) expect(document.components.schemas).toHaveProperty(name ?? "");
    expect(document.components.schemas.timers.properties.timers.items.properties.id.type).toBe("string");
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path as Record<string, { readonly operationId: string }>).map((one) => one.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});
