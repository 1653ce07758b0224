import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GuideClient } from "../../src/guide-wire/client.ts";
import { encodeDocument, type WireFormat } from "../../src/guide-wire/codec.ts";
import type { Document, DocumentKind } from "../../src/guide-wire/documents.ts";
import {
  API_KEY,
  CREDENTIALS,
  clientOf,
  type Loopback,
  loopback,
  NOW,
  rejection,
  signal,
  TIMER,
} from "./loopback.ts";

const ANSWERS: { readonly [K in DocumentKind]?: Document<K> } = {
  regions: { regions: [{ id: 1, name: "Sydney" }] },
  channels: { regions: [], channels: [{ id: 2, name: "ABC" }] },
  manufacturers: { manufacturers: [{ id: "3", name: "Acme", url: "" }] },
  devices: { types: [{ id: 4, model: "X" }], devices: [{ id: 5, uid: "", label: "Lounge", type_id: 4 }] },
  "device-types": { types: [{ id: 4, model: "X" }] },
  timers: { timers: [TIMER] },
  popular: {
    series_info: [{ id: "9" }],
    most_popular: [{ series_id: "9", num_votes: 3, popularity_ratio: 1 }],
  },
  "new-shows": { series_info: [], new_shows: [{ series_id: "9", start_date: "Coming Soon", channel_id: 0 }] },
  shows: {
    shows: [
      { id: 3, channel_id: 2, start: TIMER.start_time, stop: "2026-11-20T10:00:00Z", title: "Été & <Co>" },
    ],
    timers: [TIMER],
    channels: [{ id: 2, name: "ABC" }],
    last_update_time: 1795165200,
  },
  login: { member: { id: "1", email_address: "a@b.c", token: "new" } },
};

interface Row {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly account: boolean;
  readonly query?: Readonly<Record<string, string>>;
  readonly answer?: DocumentKind;
  readonly status?: number;
  readonly sends?: readonly [DocumentKind, unknown];
  readonly call: (client: GuideClient) => Promise<unknown>;
}

const LOGIN = { member: { email_address: "a@b.c", password: "pa55" } };
const ORDER = { uid: "u", label: "Lounge", type_id: 4 };

const ROWS: readonly Row[] = [
  row("GET regions", "regions", (c) => c.regions(signal)),
  row("GET regions/1", "regions", (c) => c.region(1, signal)),
  row("GET regions/channels", "channels", (c) => c.channels(signal)),
  row("GET regions/1/channels", "channels", (c) => c.regionChannels(1, signal)),
  row("GET devices/manufacturers", "manufacturers", (c) => c.manufacturers(signal)),
  row("GET devices/manufacturers/3", "manufacturers", (c) => c.manufacturer("3", signal)),
  row("GET devices/types", "device-types", (c) => c.deviceTypes(signal)),
  { ...row("GET devices", "devices", (c) => c.devices(signal)), account: true },
  { ...row("GET devices/5", "devices", (c) => c.device(5, signal)), account: true },
  {
    ...row("POST devices", "devices", (c) => c.addDevices([ORDER], signal)),
    account: true,
    status: 201,
    sends: ["device-add", { devices: [ORDER] }],
  },
  {
    ...row("PUT devices/5", "devices", (c) => c.setDevice(5, { label: "Den" }, signal)),
    account: true,
    sends: ["device-set", { label: "Den" }],
  },
  { ...row("DELETE devices/5", undefined, (c) => c.deleteDevice(5, signal)), account: true },
  { ...row("GET shows/timers", "timers", (c) => c.timers(signal)), account: true },
  { ...row("GET shows/timers/7", "timers", (c) => c.timer("7", signal)), account: true },
  {
    ...row("POST shows/timers", "timers", (c) => c.addTimer({ show_id: 3, device_id: 1 }, signal)),
    account: true,
    status: 201,
    sends: ["timer-add", { show_id: 3, device_id: 1 }],
  },
  {
    ...row("PUT shows/timers/7", "timers", (c) => c.setTimer("7", { state: "running" }, signal)),
    account: true,
    sends: ["timer-set", { state: "running" }],
  },
  { ...row("DELETE shows/timers/7", undefined, (c) => c.deleteTimer("7", signal)), account: true },
  { ...row("GET series/most_popular", "popular", (c) => c.mostPopular(signal)), account: true },
  { ...row("GET new_shows", "new-shows", (c) => c.newShows(signal)), account: true },
  {
    ...row("GET shows", "shows", (c) => c.shows({}, signal)),
    account: true,
    query: { last_update_time: "0" },
  },
  {
    ...row("GET shows", "shows", (c) =>
      c.shows({ channelIds: [2, 7], since: NOW, hideTimers: true }, signal),
    ),
    account: true,
    query: { last_update_time: String(NOW / 1000), channel_id: "2,7", hide_timers: "1" },
  },
  { ...row("DELETE logout", undefined, (c) => c.logout(signal)), account: true },
  {
    ...row("POST login", "login", (c) => c.login(LOGIN, signal)),
    status: 201,
    sends: ["login-request", LOGIN],
  },
];

function row(name: string, answer: DocumentKind | undefined, call: Row["call"]): Row {
  const [method = "", path = ""] = name.split(" ");
  return { name, method, path, account: false, call, ...(answer === undefined ? {} : { answer }) };
}

describe.each(["json", "xml"] as const)("the client in %s", (wire: WireFormat) => {
  it.each(ROWS)("speaks $name", async (one) => {
    await using server = await loopback((_, response) => {
      response.statusCode = one.status ?? 200;
      response.setHeader("Date", new Date(NOW).toUTCString());
      if (one.answer === undefined) {
        response.end();
        return;
      }
      const document = encodeDocument(one.answer, ANSWERS[one.answer] as never, { format: wire });
      response.setHeader("Content-Type", document.contentType);
      response.end(document.body);
    });
    await using side = clientOf(`${server.origin}/guide/api/`, { wire });
    const answer = await one.call(side.client);

    const [seen] = server.seen;
    const media = wire === "json" ? "application/json" : "application/xml";
    expect(seen).toMatchObject({ method: one.method, path: `/guide/api/${one.path}` });
    expect(seen?.query).toEqual({
      api_key: API_KEY,
      application_version: "recorderd/test",
      ...one.query,
      ...(one.account ? { email_address: CREDENTIALS.email, token: CREDENTIALS.token } : {}),
    });
    expect(seen?.headers.accept).toBe(media);
    if (one.sends === undefined) expect([seen?.body, seen?.headers["content-type"]]).toEqual(["", undefined]);
    else {
      const [kind, value] = one.sends;
      const { body, contentType } = encodeDocument(kind, value as never, { format: wire });
      expect([seen?.body, seen?.headers["content-type"]]).toEqual([body.toString(), contentType]);
    }
    if (one.answer === undefined) expect(answer).toBeUndefined();
    else {
      const value = ANSWERS[one.answer];
      expect(answer).toEqual({ value, malformed: [], format: wire, serverTime: NOW });
    }
    expect(side.clock.sleepers).toBe(0);
  });
});

describe("a signed-out client", () => {
  it("fails with GUIDE_SIGN_IN_NEEDED without a request, and still reads public data", async () => {
    await using server = await loopback((_, response) => response.end('{"regions":[]}'));
    await using side = clientOf(server.origin, { credentials: () => undefined });
    for (const one of ROWS.filter(({ account }) => account)) {
      expect(await rejection(one.call(side.client))).toMatchObject({ code: "GUIDE_SIGN_IN_NEEDED" });
    }
    expect(server.seen).toEqual([]);
    expect((await side.client.regions(signal)).value).toEqual({ regions: [] });
  });
});

describe("an identifier in a path", () => {
  let server: Loopback;
  beforeAll(async () => {
    server = await loopback((_, response) => response.end());
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("is one segment, whatever it contains", async () => {
    await using side = clientOf(server.origin);
    for (const id of ["a/b", "a?token=1", "é#", "%2e%2e", "..%2f", "...", " "]) {
      await side.client.deleteTimer(id, signal);
      expect(decodeURIComponent(server.seen.at(-1)?.path ?? "")).toBe(`/shows/timers/${id}`);
    }
  });

  it("is refused if it leads to another endpoint", async () => {
    await using side = clientOf(server.origin);
    const before = server.seen.length;
    for (const id of ["", ".", ".."]) {
      expect(await rejection(side.client.deleteTimer(id, signal))).toMatchObject({ code: "GUIDE_NOT_FOUND" });
    }
    expect(server.seen.length).toBe(before);
  });
});

describe("an answer to a PUT", () => {
  it("may have no body", async () => {
    await using server = await loopback((_, response) => response.end());
    await using side = clientOf(server.origin);
    expect((await side.client.setTimer("7", { state: "running" }, signal)).value).toEqual({ timers: [] });
    expect((await side.client.setDevice(5, { label: "x" }, signal)).value).toEqual({
      types: [],
      devices: [],
    });
  });
});
