import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GUIDE_ROUTES } from "../../src/guide-server/http/routes.ts";
import { HOUR } from "../../src/model/time.ts";
import { type Ask, type Hosted, hosted, PASSWORD } from "./hosted.ts";
import { askPages, PAGE_ROUTES, PAGES, type SessionOf, signIn } from "./household.ts";

/** The ids of one household's records, by the names of parameters and fields that carry them. */
interface Ids {
  readonly device: number;
  readonly timer: string;
  readonly series: number;
  readonly keyword: number;
  readonly rule: number;
  readonly user: string;
}

const UNKNOWN: Ids = {
  ...{ device: 987_654, timer: "987654", series: 987_654, keyword: 987_654, rule: 987_654 },
  user: "nobody@example.org",
};

/** A valid body of each kind with the ids of a household. Kinds without ids of a household are left out. */
const BODIES: Readonly<Record<string, (ids: Ids) => object>> = {
  "device-set": () => ({ label: "taken over", type_id: 1 }),
  "timer-add": ({ device }) => ({ device_id: device, show_id: 13 }),
  "timer-set": ({ device }) => ({ device_id: device, state: "failed", message: "taken over" }),
  "timer-batch": ({ timer, device }) => ({
    timers: [{ id: timer, state: "failed", message: "taken over", device_id: device }],
  }),
  "series-recording-add": ({ device }) => ({ series_id: "s2", device_id: device }),
  "series-recording-set": ({ device }) => ({ device_id: device, recording_quality: "HD Only" }),
  "keyword-add": ({ device }) => ({ keyword: "taken", device_id: device }),
  "keyword-set": ({ device }) => ({ keyword: "taken", device_id: device }),
  "rule-add": ({ device }) => ({ name: "taken", words: "taken", device_id: device }),
  "rule-set": ({ device }) => ({ name: "taken", words: "taken", device_id: device }),
  "rule-preview": ({ device, rule }) => ({
    name: "taken",
    words: "taken",
    device_id: device,
    replaces: rule,
  }),
};

/** Kinds whose bodies name nothing that belongs to a household. */
const WITHOUT_IDS = ["device-add", "favourite-add", "pvr-logs", "scans", "broadcast-guide", "login-request"];

/** Requests of the pages whose bodies name nothing that belongs to a household. */
const PAGES_WITHOUT_IDS = [
  "POST /v1/users",
  "PUT /v1/channels/mappings/:id",
  "PUT /v1/listings/:id",
  "POST /v1/series/favourites",
];

/** The household's id for each parameter in a path; the catalogue, which belongs to nobody, is left out. */
const IN_PATH: Readonly<Record<string, keyof Ids>> = {
  "/devices/{device_id}": "device",
  "/shows/timers/{timer_id}": "timer",
  "/series/recordings/{series_recording_id}": "series",
  "/keywords/{keyword_id}": "keyword",
  "/rules/{rule_id}": "rule",
  "/v1/devices/:id": "device",
  "/v1/users/:name": "user",
  "/v1/timers/:id": "timer",
  "/v1/series/recordings/:id": "series",
  "/v1/series/keywords/:id": "keyword",
  "/v1/rules/:id": "rule",
};
const OF_NOBODY = [
  ...["/regions/{region_id}", "/regions/{region_id}/channels", "/devices/manufacturers/{manufacturer_id}"],
  ...["/devices/types/{type_id}", "/series/favourites/{series_id}", "/v1/series/favourites/:id"],
  ...["/v1/channels/mappings/:id", "/v1/listings/:id"],
];

let guide: Hosted;
let owner: SessionOf;
let stranger: SessionOf;
let theirs: Ids;
beforeAll(async () => {
  guide = await hosted({ pages: PAGES });
  owner = { email: guide.email, token: guide.token };
  await guide.server.addAccount({ email: "stranger@example.org", password: PASSWORD });
  await guide.server.addDevice("stranger@example.org", { label: "Own", type_id: 1 });
  stranger = await signIn(guide, "stranger@example.org");
  await guide.server.addUser(guide.email, { name: "anna", password: PASSWORD, rights: "member" });
  const start = guide.clock.now() + HOUR;
  const showId = await guide.server.addShow({ channelId: 7, start, durationMinutes: 60, title: "Theirs" });
  const device = guide.deviceId;
  const post = async (path: string, value: object) =>
    JSON.parse((await guide.ask({ method: "POST", path, text: JSON.stringify(value) })).body.toString());
  await post("/series/favourites", { series_id: "s1" });
  await post("/user/pvr_logs", { logs: [{ message: "theirs" }] });
  theirs = {
    device,
    timer: await guide.server.addTimer(guide.email, { device_id: device, show_id: showId }),
    series: (await post("/series/recordings", { series_id: "s1", device_id: device })).series_recordings[0]
      .id,
    keyword: (await post("/keywords", { keyword: "theirs", device_id: device })).keywords[0].id,
    rule: (await post("/rules", { name: "theirs", words: "theirs", device_id: device })).rules[0].id,
    user: "anna",
  };
  await seenByOwner();
});
afterAll(() => guide[Symbol.asyncDispose]());

const LISTS = [
  ...["/devices", "/shows/timers", "/series/recordings", "/series/favourites", "/keywords", "/rules"],
  "/user/settings",
];

/** All that the owner can read of the household. The first reading marks timers as read. */
async function seenByOwner(): Promise<object> {
  const lists = await Promise.all(
    LISTS.map(async (path) => (await guide.ask({ method: "GET", path })).body.toString()),
  );
  const { email } = guide;
  const users = await askPages(guide, owner, { method: "GET", path: "/v1/users" });
  return {
    lists,
    users,
    logs: await guide.server.boxLogs(email),
    services: await guide.server.receivedServices(email),
  };
}

interface Answered {
  readonly status: number;
  readonly text: string;
}

const API = GUIDE_ROUTES.filter(({ account }) => account === "signed-in").map((route) => ({
  name: `${route.method} ${route.path}`,
  path: route.path,
  hasIds:
    IN_PATH[route.path] !== undefined ||
    BODIES[route.body ?? ""] !== undefined ||
    route.query?.["device_id"] !== undefined,
  ask: async (ids: Ids): Promise<Answered> => {
    const path = withId(route.path, ids);
    const body = BODIES[route.body ?? ""]?.(ids);
    const query = route.query?.["device_id"] === undefined ? "" : `?device_id=${ids.device}`;
    const text = body === undefined ? {} : { text: JSON.stringify(body) };
    const order: Ask = { method: route.method, path: `${path}${query}`, ...stranger, ...text };
    const { status, body: answer } = await guide.ask(order);
    return { status, text: answer.toString() };
  },
}));

const PAGE_BODIES = (ids: Ids): readonly object[] => [
  { label: "taken over" },
  { password: "a new password", rights: "viewer" },
  { showId: 13, deviceId: ids.device },
  { seriesId: "s2", deviceId: ids.device },
  { keyword: "taken", deviceId: ids.device },
  { deviceId: ids.device, quality: "HD Only" },
  { name: "taken", words: "taken", quality: "HD Only", deviceId: ids.device },
  { order: { name: "taken", words: "taken", quality: "HD Only", deviceId: ids.device }, replaces: ids.rule },
];

const PAGE = PAGE_ROUTES.filter(({ open }) => open !== true).map((route) => ({
  name: `${route.method} ${route.path}`,
  path: route.path,
  hasIds:
    IN_PATH[route.path] !== undefined ||
    (route.body !== undefined && PAGE_BODIES(UNKNOWN).some((one) => namesIds(one) && fitsBody(route, one))),
  ask: async (ids: Ids): Promise<Answered> => {
    const json = PAGE_BODIES(ids).find((one) => fitsBody(route, one));
    const { status, body } = await askPages(guide, stranger, {
      method: route.method,
      path: withId(route.path, ids),
      ...(json === undefined ? {} : { json }),
    });
    return { status, text: JSON.stringify(body) };
  },
}));

function fitsBody({ body }: (typeof PAGE_ROUTES)[number], value: object): boolean {
  return body?.safeParse(value).success === true;
}

function namesIds(body: object): boolean {
  return JSON.stringify(body).includes(String(UNKNOWN.device));
}

function withId(path: string, ids: Ids): string {
  const kind = IN_PATH[path];
  return path.replace(/\{\w+\}|:\w+/, String(kind === undefined ? 7 : ids[kind]));
}

describe("an id of another household", () => {
  it("is tried in every path and body that takes ids", () => {
    const params = [...API, ...PAGE].filter(({ path }) => /[{:]/.test(path));
    const unclassified = params.filter(
      ({ path }) => IN_PATH[path] === undefined && !OF_NOBODY.includes(path),
    );
    expect(unclassified.map(({ name }) => name)).toEqual([]);
    const kinds = GUIDE_ROUTES.flatMap(({ body }) => body ?? []);
    expect(kinds.filter((kind) => BODIES[kind] === undefined && !WITHOUT_IDS.includes(kind))).toEqual([]);
    const bodies = PAGE_ROUTES.filter(({ body, open }) => body !== undefined && open !== true);
    const untried = bodies.filter((route) => !PAGE_BODIES(UNKNOWN).some((one) => fitsBody(route, one)));
    expect(untried.map(({ method, path }) => `${method} ${path}`)).toEqual(PAGES_WITHOUT_IDS);
  });

  it.each([...API, ...PAGE].filter(({ hasIds }) => hasIds))(
    "$name: is answered like an unknown one, and changes nothing there",
    async ({ ask }) => {
      const before = await seenByOwner();
      const plain = ({ status, text }: Answered, ids: Ids) => [
        status,
        Object.values(ids).reduce((rest: string, id) => rest.replaceAll(String(id), "ID"), text),
      ];
      const unknown = plain(await ask(UNKNOWN), UNKNOWN);
      expect(plain(await ask(theirs), theirs)).toEqual(unknown);
      expect(await seenByOwner()).toEqual(before);
    },
  );

  it("may be the uid of a device: each household has its own device with it", async () => {
    const before = await seenByOwner();
    const found = await guide.ask({ method: "GET", path: "/devices?uid=AA:BB", ...stranger });
    expect(found.status).toBe(404);
    const text = JSON.stringify({ uid: "AA:BB", label: "taken over", type_id: 1 });
    const added = await guide.ask({ method: "POST", path: "/devices", text, ...stranger });
    expect(added.status).toBe(201);
    expect(added.read("devices").devices[0]?.id).not.toBe(theirs.device);
    expect(await seenByOwner()).toEqual(before);
  });

  it("is in no list of the stranger", async () => {
    for (const path of LISTS) {
      const { body } = await guide.ask({ method: "GET", path, ...stranger });
      expect(body.toString()).not.toMatch(/theirs|Lounge/i);
    }
  });
});
