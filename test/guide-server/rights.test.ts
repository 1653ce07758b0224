import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RIGHTS, type Rights } from "../../src/guide-server/data/tables.ts";
import { GUIDE_ROUTES } from "../../src/guide-server/http/routes.ts";
import { storedText } from "./engines.ts";
import { askPages, type Household, household, PAGE_ROUTES } from "./household.ts";

let home: Household;
beforeAll(async () => {
  home = await household();
});
afterAll(() => home[Symbol.asyncDispose]());

const EVERYBODY = "everybody";
const USERS: readonly Rights[] = ["owner", "member", "viewer"];
const WRITERS: readonly Rights[] = ["owner", "member"];
const OWNERS: readonly Rights[] = ["owner"];

/** The users who may make each request. A request that is not here fails the first test. */
const WHO: Readonly<Record<string, typeof EVERYBODY | readonly Rights[]>> = {
  "GET /regions": EVERYBODY,
  "GET /regions/{region_id}": EVERYBODY,
  "GET /regions/channels": EVERYBODY,
  "GET /regions/{region_id}/channels": EVERYBODY,
  "GET /devices/manufacturers": EVERYBODY,
  "GET /devices/manufacturers/{manufacturer_id}": EVERYBODY,
  "GET /devices/types": EVERYBODY,
  "GET /devices/types/{type_id}": EVERYBODY,
  "POST /login": EVERYBODY,
  "PUT /login": EVERYBODY,
  "GET /devices": USERS,
  "GET /devices/{device_id}": USERS,
  "POST /devices": WRITERS,
  "PUT /devices/{device_id}": WRITERS,
  "DELETE /devices/{device_id}": WRITERS,
  "GET /shows/timers": USERS,
  "GET /shows/timers/changes": USERS,
  "GET /shows/timers/{timer_id}": USERS,
  "POST /shows/timers": WRITERS,
  "PUT /shows/timers/{timer_id}": WRITERS,
  "PUT /shows/timers": WRITERS,
  "DELETE /shows/timers/{timer_id}": WRITERS,
  "GET /series/most_popular": USERS,
  "GET /new_shows": USERS,
  "GET /shows": USERS,
  "GET /series": USERS,
  "GET /series/recordings": USERS,
  "POST /series/recordings": WRITERS,
  "PUT /series/recordings/{series_recording_id}": WRITERS,
  "DELETE /series/recordings/{series_recording_id}": WRITERS,
  "GET /series/favourites": USERS,
  "POST /series/favourites": WRITERS,
  "DELETE /series/favourites/{series_id}": WRITERS,
  "GET /keywords": USERS,
  "POST /keywords": WRITERS,
  "PUT /keywords/{keyword_id}": WRITERS,
  "DELETE /keywords/{keyword_id}": WRITERS,
  "GET /rules": USERS,
  "POST /rules": WRITERS,
  "PUT /rules/{rule_id}": WRITERS,
  "DELETE /rules/{rule_id}": WRITERS,
  "POST /rules/preview": WRITERS,
  "GET /user/settings": USERS,
  "POST /user/pvr_logs": WRITERS,
  "POST /scans": WRITERS,
  "DELETE /logout": USERS,
  "POST /broadcast_guide": WRITERS,
};

/** The same for requests of the pages. */
const PAGES_WHO: typeof WHO = {
  "GET /v1/session": EVERYBODY,
  "POST /v1/session": EVERYBODY,
  "DELETE /v1/session": USERS,
  "POST /v1/accounts": EVERYBODY,
  "GET /v1/devices": USERS,
  "GET /v1/devices/:id": USERS,
  "PUT /v1/devices/:id": WRITERS,
  "DELETE /v1/devices/:id": WRITERS,
  "GET /v1/users": OWNERS,
  "GET /v1/users/:name": OWNERS,
  "POST /v1/users": OWNERS,
  "PUT /v1/users/:name": OWNERS,
  "DELETE /v1/users/:name": OWNERS,
  "GET /v1/channels": USERS,
  "PUT /v1/channels/mappings/:id": OWNERS,
  "PUT /v1/listings/:id": OWNERS,
  "GET /v1/guide/channels": USERS,
  "GET /v1/guide/shows": USERS,
  "GET /v1/timers": USERS,
  "GET /v1/timers/next": USERS,
  "POST /v1/timers": WRITERS,
  "DELETE /v1/timers/:id": WRITERS,
  "GET /v1/series": USERS,
  "POST /v1/series/recordings": WRITERS,
  "PUT /v1/series/recordings/:id": WRITERS,
  "DELETE /v1/series/recordings/:id": WRITERS,
  "POST /v1/series/keywords": WRITERS,
  "PUT /v1/series/keywords/:id": WRITERS,
  "DELETE /v1/series/keywords/:id": WRITERS,
  "POST /v1/series/favourites": WRITERS,
  "DELETE /v1/series/favourites/:id": WRITERS,
  "GET /v1/rules": USERS,
  "POST /v1/rules": WRITERS,
  "PUT /v1/rules/:id": WRITERS,
  "DELETE /v1/rules/:id": WRITERS,
  "POST /v1/rules/preview": WRITERS,
};

/** The guide's records as they are on disk, whatever a requester may see of them. */
async function onDisk(): Promise<string> {
  return createHash("sha256")
    .update(await storedText(home.guide.folder))
    .digest("hex");
}

/** A request with unknown ids and an empty body: a user with the right gets "not found" or "invalid body". */
function asking(name: string) {
  const [method = "", path = ""] = name.split(" ");
  const text = method === "POST" || method === "PUT" ? { text: "{}" } : {};
  // A stream has no end.
  const isStream = GUIDE_ROUTES.some((route) => route.events !== undefined && route.path === path);
  return { method: (isStream ? "HEAD" : method) as "GET", path: path.replace(/\{\w+\}/g, "987"), ...text };
}

const REFUSED = /may only read/;

describe("user rights", () => {
  it("cover every request that the server answers", () => {
    expect(Object.keys(WHO).sort()).toEqual(
      GUIDE_ROUTES.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  const cells = Object.entries(WHO).flatMap(([name, who]) =>
    // Signing out comes last: it ends the session.
    name === "DELETE /logout"
      ? []
      : RIGHTS.map((rights) => ({ name, rights, isAllowed: who === EVERYBODY || who.includes(rights) })),
  );

  it.each(cells.filter(({ isAllowed }) => isAllowed))(
    "$rights: $name is allowed",
    async ({ name, rights }) => {
      const answer = await home.guide.ask({ ...asking(name), ...home.sessions[rights] });
      expect(answer.body.toString()).not.toMatch(REFUSED);
      const isLogin = name.endsWith("/login");
      expect([401, 403]).not.toContain(isLogin ? 406 : answer.status);
    },
  );

  it.each(cells.filter(({ isAllowed }) => !isAllowed))(
    "$rights: $name is refused as specified, without a change",
    async ({ name, rights }) => {
      const before = await onDisk();
      const answer = await home.guide.ask({ ...asking(name), ...home.sessions[rights] });
      expect(answer.status).toBe(name.startsWith("DELETE") ? 405 : 406);
      expect(answer.read("error").error.message).toMatch(REFUSED);
      expect(await onDisk()).toBe(before);
    },
  );

  it("need a session for everything that is not public", async () => {
    for (const [name] of Object.entries(WHO).filter(([, who]) => who !== EVERYBODY)) {
      const answer = await home.guide.ask({ ...asking(name), anonymous: true });
      expect([name, answer.status]).toEqual([name, 401]);
    }
  });

  it("answer 405 with the remaining methods: reading, if there is something to read", async () => {
    const allowed = async (path: string) =>
      (await home.guide.ask({ method: "DELETE", path, ...home.sessions.viewer })).headers["allow"];
    expect(await allowed("/shows/timers/1")).toBe("GET, HEAD");
    expect(await allowed("/keywords/1")).toBe("");
  });
});

describe("user rights on the pages", () => {
  it("cover every request of the pages", () => {
    expect(Object.keys(PAGES_WHO).sort()).toEqual(
      PAGE_ROUTES.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  const cells = PAGE_ROUTES.filter(({ open, path }) => open !== true && path !== "/v1/session").flatMap(
    (route) => RIGHTS.map((rights) => ({ route, name: `${route.method} ${route.path}`, rights })),
  );

  it.each(cells)("$rights: $name", async ({ route, name, rights }) => {
    const who = PAGES_WHO[name] ?? [];
    const before = await onDisk();
    // A valid body: the server examines a forbidden request no further.
    const bodies = [
      { label: "x" },
      { name: "n", password: "short", rights: "viewer" },
      { target: null },
      { zone: null },
      { seriesId: "987" },
      { keyword: "987" },
      { name: "987", words: "987", quality: "HD Only" },
      { order: { name: "987", words: "987", quality: "HD Only" } },
      { showId: 987 },
      {},
    ];
    const json = bodies.find((one) => route.body?.safeParse(one).success);
    const { status, body } = await askPages(home.guide, home.sessions[rights], {
      method: route.method,
      path: route.path.replace(/:\w+/g, "987"),
      ...(json === undefined ? {} : { json }),
    });
    if (who === EVERYBODY || who.includes(rights)) return expect([401, 403]).not.toContain(status);
    expect([status, body]).toMatchObject([403, { code: "GUIDE_FORBIDDEN" }]);
    expect(await onDisk()).toBe(before);
  });
});

describe("a read-only user", () => {
  it("leaves no trace: the recorder's timers stay unread", async () => {
    const { guide, sessions } = home;
    const id = await guide.book();
    // The first request after an order looks at the rules once.
    await guide.ask({ method: "GET", path: "/devices", ...sessions.viewer });
    const before = await onDisk();
    for (const path of [`/shows/timers?device_id=${guide.deviceId}`, `/shows/timers/${id}`, "/shows"]) {
      expect((await guide.ask({ method: "GET", path, ...sessions.viewer })).status).toBe(200);
    }
    expect(await onDisk()).toBe(before);
    await guide.ask({ method: "DELETE", path: `/shows/timers/${id}`, ...sessions.member });
    const { timers } = (await guide.ask({ method: "GET", path: "/shows/timers" })).read("timers");
    expect(timers).toEqual([]);
  });

  it("cannot sign in a recorder, whose reports would be writes", async () => {
    const { email } = home.sessions.viewer;
    const text = JSON.stringify({
      member: { email_address: email, password: "correct horse" },
      device: { uid: "AA:BB", label: "Lounge", type_id: 1 },
    });
    const answer = await home.guide.ask({ method: "POST", path: "/login", anonymous: true, text });
    expect([answer.status, answer.read("error").error.field]).toEqual([406, "device"]);
  });

  it("can end its own session", async () => {
    const { guide, sessions } = home;
    for (const rights of ["viewer", "member"] as const) {
      expect((await guide.ask({ method: "DELETE", path: "/logout", ...sessions[rights] })).status).toBe(200);
      expect((await guide.ask({ method: "GET", path: "/devices", ...sessions[rights] })).status).toBe(401);
    }
  });
});
