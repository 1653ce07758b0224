import type { GuideClient } from "../../src/guide-wire/client.ts";
import { hosted, PASSWORD, SHOW_ID } from "../guide-server/hosted.ts";
import type { Parties, Request, Tampering } from "./parties.ts";
import { CONTRACT, caseKey } from "./rows.ts";

/** A signal that is never aborted. */
export const signal = new AbortController().signal;

/** Nobody's, but of the right form. */
const ID = 1;
const NO_ID = 99_999;
/** Any other may be what a box says it is. */
const NO_TYPE = -1;

const NO_NEWS = { services: [], spans: [], events: [] };

const THINGS = { name: "Things", words: "thing" };

/** Each request as our client makes it, for any outcome. */
const CALLS: Readonly<Record<string, (client: GuideClient) => Promise<unknown>>> = {
  "GET regions": (client) => client.regions(signal),
  "GET regions/{region_id}": (client) => client.region(ID, signal),
  "GET regions/channels": (client) => client.channels(signal),
  "GET regions/{region_id}/channels": (client) => client.regionChannels(ID, signal),
  "GET devices/manufacturers": (client) => client.manufacturers(signal),
  "GET devices/manufacturers/{manufacturer_id}": (client) => client.manufacturer(String(ID), signal),
  "GET devices": (client) => client.devices(signal),
  "GET devices/{device_id}": (client) => client.device(ID, signal),
  "POST devices": (client) => client.addDevices([{ label: "New", type_id: 1 }], signal),
  "PUT devices/{device_id}": (client) => client.setDevice(ID, { label: "Den" }, signal),
  "DELETE devices/{device_id}": (client) => client.deleteDevice(ID, signal),
  "GET shows/timers": (client) => client.timers(signal),
  "GET shows/timers/{timer_id}": (client) => client.timer(String(ID), signal),
  "POST shows/timers": (client) => client.addTimer({ show_id: SHOW_ID, device_id: ID }, signal),
  "PUT shows/timers/{timer_id}": (client) => client.setTimer(String(ID), { state: "running" }, signal),
  "DELETE shows/timers/{timer_id}": (client) => client.deleteTimer(String(ID), signal),
  "GET series/most_popular": (client) => client.mostPopular(signal),
  "GET new_shows": (client) => client.newShows(signal),
  "DELETE logout": (client) => client.logout(signal),
  "GET devices/types": (client) => client.deviceTypes(signal),
  "GET user/settings": (client) => client.settings(signal),
  "POST broadcast_guide": (client) => client.sendBroadcastGuide(NO_NEWS, signal),
  "GET series": (client) => client.series.list("", signal),
  "GET series/recordings": (client) => client.series.recordings(signal),
  "POST series/recordings": (client) =>
    client.series.addRecording({ series_id: "s1", device_id: ID }, signal),
  "PUT series/recordings/{series_recording_id}": (client) =>
    client.series.setRecording(ID, { channel_id: 8 }, signal),
  "DELETE series/recordings/{series_recording_id}": (client) => client.series.deleteRecording(ID, signal),
  "GET series/favourites": (client) => client.series.favourites(signal),
  "POST series/favourites": (client) => client.series.addFavourite("s1", signal),
  "DELETE series/favourites/{series_id}": (client) => client.series.deleteFavourite("s1", signal),
  "GET keywords": (client) => client.series.keywords(signal),
  "POST keywords": (client) => client.series.addKeyword({ keyword: "été", device_id: ID }, signal),
  "PUT keywords/{keyword_id}": (client) => client.series.setKeyword(ID, { keyword: "thing" }, signal),
  "DELETE keywords/{keyword_id}": (client) => client.series.deleteKeyword(ID, signal),
  "GET rules": (client) => client.rules.all(signal),
  "POST rules": (client) => client.rules.add({ ...THINGS, device_id: ID }, signal),
  "PUT rules/{rule_id}": (client) => client.rules.set(ID, THINGS, signal),
  "DELETE rules/{rule_id}": (client) => client.rules.delete(ID, signal),
  "POST rules/preview": (client) => client.rules.preview({ ...THINGS, device_id: ID }, signal),
  "GET shows": (client) => client.shows({}, signal),
  "POST login": (client) => client.login({ member: { email_address: "who@x", password: "no" } }, signal),
};

/** How a request comes to be refused, and what the client can tell of it besides the status. */
export interface Refused {
  readonly call: (parties: Parties) => Promise<unknown>;
  /** The field that the server blames. */
  readonly field?: string;
  readonly retryAfter?: true;
}

/** The same for every request: of a stranger, of a server that loads, of a body that is neither JSON nor XML, without an id. */
function general(name: string, status: number): Refused | undefined {
  const call = CALLS[name] ?? (() => Promise.reject(new Error(`no call of ${name}`)));
  switch (status) {
    case 401:
      return { call: ({ clientAs }) => call(clientAs("of nobody")) };
    case 404:
      return { call: ({ empty }) => call(empty) };
    case 405:
      return { call: ({ client }) => call(client(withoutId)) };
    case 415:
      return { call: ({ client }) => call(client(asTable)) };
    case 503:
      return { call: ({ loading }) => call(loading), retryAfter: true };
    default:
      return undefined;
  }
}

const withoutId: Tampering = (request) => ({ ...request, url: changed(request, /\/[^/]+$/, "") });
const asTable: Tampering = (request) => ({
  ...request,
  body: request.body ?? Buffer.from("a;b"),
  headers: { ...request.headers, "content-type": "text/csv" },
});

const withoutFields: Tampering = (request) => ({
  ...request,
  body: Buffer.from(request.body?.[0] === 0x7b ? "{}" : "<series><favourite/></series>"),
});

function changed({ url }: Request, pattern: RegExp, by: string): URL {
  const other = new URL(url);
  other.pathname = url.pathname.replace(pattern, by);
  return other;
}

function asking(name: string, value: string): Tampering {
  return (request) => {
    const url = new URL(request.url);
    url.searchParams.set(name, value);
    return { ...request, url };
  };
}

/** Requests that are refused for a reason of their own. */
const SPECIAL: Readonly<Record<string, Refused>> = {
  "GET regions/{region_id} 404": { call: ({ client }) => client().region(NO_ID, signal) },
  "GET regions/{region_id}/channels 404": { call: ({ client }) => client().regionChannels(NO_ID, signal) },
  "GET devices/manufacturers/{manufacturer_id} 404": {
    call: ({ client }) => client().manufacturer(String(NO_ID), signal),
  },
  "GET devices 404": {
    call: ({ client }) => client(asking("uid", "nobody's")).devices(signal),
    field: "uid",
  },
  "GET devices/{device_id} 404": { call: ({ client }) => client().device(NO_ID, signal) },
  "POST devices 406": {
    call: ({ client }) => client().addDevices([{ label: "New", type_id: NO_TYPE }], signal),
    field: "type_id",
  },
  "PUT devices/{device_id} 406": {
    call: ({ client }) => client().setDevice(NO_ID, { label: "Den" }, signal),
    field: "id",
  },
  "DELETE devices/{device_id} 406": {
    call: async ({ client, server, book }) => {
      await book();
      return client().deleteDevice(server.deviceId, signal);
    },
    field: "id",
  },
  "GET shows/timers 404": {
    call: ({ client }) => client(asking("device_id", String(NO_ID))).timers(signal),
    field: "device_id",
  },
  "GET shows/timers/{timer_id} 404": { call: ({ client }) => client().timer(String(NO_ID), signal) },
  "POST shows/timers 404": {
    call: ({ client, server }) => client().addTimer({ show_id: NO_ID, device_id: server.deviceId }, signal),
    field: "show_id",
  },
  "POST shows/timers 406": {
    call: ({ client, server, subject }) =>
      client().addTimer({ show_id: subject.passedShowId, device_id: server.deviceId }, signal),
    field: "show_id",
  },
  "PUT shows/timers/{timer_id} 404": {
    call: ({ client }) => client().setTimer(String(NO_ID), { state: "running" }, signal),
  },
  "PUT shows/timers/{timer_id} 406": {
    call: async ({ client, book }) => client().setTimer(await book(), { state: "asleep" }, signal),
    field: "state",
  },
  "GET shows 404": {
    call: ({ client, server, subject }) => {
      const channelIds = subject.channels.map(({ id }) => id);
      return client().shows({ channelIds, since: server.clock.now() + 1000, hideTimers: true }, signal);
    },
  },
  "GET series/most_popular 404": { call: ({ bare }) => bare.mostPopular(signal) },
  "GET new_shows 404": { call: ({ bare }) => bare.newShows(signal) },
  "DELETE logout 404": {
    call: async ({ client, clientAs, server }) => {
      const member = { email_address: server.email, password: PASSWORD };
      const { value } = await client().login({ member }, signal);
      const other = clientAs(value.member.token);
      await other.logout(signal);
      return other.logout(signal);
    },
  },
  "POST series/recordings 404": {
    call: ({ client, server }) =>
      client().series.addRecording({ series_id: "none", device_id: server.deviceId }, signal),
    field: "series_id",
  },
  "POST series/recordings 406": {
    call: ({ client, server, subject }) => {
      const [{ id }] = subject.series;
      const order = { series_id: id, device_id: server.deviceId, recording_quality: "Best" };
      return client().series.addRecording(order, signal);
    },
    field: "recording_quality",
  },
  "PUT series/recordings/{series_recording_id} 404": {
    call: ({ client }) => client().series.setRecording(NO_ID, { channel_id: 8 }, signal),
  },
  "PUT series/recordings/{series_recording_id} 406": {
    call: async ({ client, server, subject }) => {
      const order = { series_id: subject.series[2].id, device_id: server.deviceId };
      const { series_recordings } = (await client().series.addRecording(order, signal)).value;
      return client().series.setRecording(series_recordings[0]?.id ?? 0, { start_minutes: 1440 }, signal);
    },
    field: "start_minutes",
  },
  "POST broadcast_guide 404": {
    call: async ({ clientOf }) => {
      await using open = await hosted({ allowSignUp: true });
      return await clientOf(open).sendBroadcastGuide(NO_NEWS, signal);
    },
  },
  "POST broadcast_guide 406": {
    call: ({ client }) =>
      client((request) => ({
        ...request,
        body: Buffer.from(request.body?.[0] === 0x7b ? "[]" : "<no/>"),
      })).sendBroadcastGuide(NO_NEWS, signal),
  },
  "POST series/favourites 404": {
    call: ({ client }) => client().series.addFavourite("none", signal),
    field: "series_id",
  },
  "POST series/favourites 406": {
    call: ({ client, subject }) => client(withoutFields).series.addFavourite(subject.series[0].id, signal),
    field: "series_id",
  },
  "POST keywords 404": {
    call: ({ client }) => client().series.addKeyword({ keyword: "été", device_id: NO_ID }, signal),
    field: "device_id",
  },
  "POST keywords 406": {
    call: ({ client, server }) =>
      client().series.addKeyword({ keyword: " & ", device_id: server.deviceId }, signal),
    field: "keyword",
  },
  "PUT keywords/{keyword_id} 404": {
    call: ({ client }) => client().series.setKeyword(NO_ID, { keyword: "thing" }, signal),
  },
  "PUT keywords/{keyword_id} 406": {
    call: async ({ client, server }) => {
      const order = { keyword: "nothing", device_id: server.deviceId };
      const { keywords } = (await client().series.addKeyword(order, signal)).value;
      return client().series.setKeyword(keywords[0]?.id ?? 0, { recording_quality: "Best" }, signal);
    },
    field: "recording_quality",
  },
  "POST rules 404": {
    call: ({ client }) => client().rules.add({ ...THINGS, device_id: NO_ID }, signal),
    field: "device_id",
  },
  "POST rules 406": {
    call: ({ client, server }) =>
      client().rules.add({ name: "x", expression: "(thing", device_id: server.deviceId }, signal),
    field: "expression",
  },
  "PUT rules/{rule_id} 404": { call: ({ client }) => client().rules.set(NO_ID, THINGS, signal) },
  "PUT rules/{rule_id} 406": {
    call: async ({ client, server }) => {
      const order = { name: "None", words: "nothing", device_id: server.deviceId };
      const { rules } = (await client().rules.add(order, signal)).value;
      return client().rules.set(rules[0]?.id ?? 0, { ...order, folder: "../etc" }, signal);
    },
    field: "folder",
  },
  "POST rules/preview 404": {
    call: ({ client, server }) =>
      client().rules.preview({ ...THINGS, id: NO_ID, device_id: server.deviceId }, signal),
  },
  "POST rules/preview 406": {
    call: ({ client, server }) => client().rules.preview({ name: "All", device_id: server.deviceId }, signal),
    field: "words",
  },
  "POST login 401": {
    call: ({ client, server }) =>
      client().login({ member: { email_address: server.email, password: "wrong" } }, signal),
  },
  "POST login 406": {
    call: ({ client, server }) => {
      const member = { email_address: server.email, password: PASSWORD };
      return client().login({ member, device: { uid: "new", label: "x", type_id: NO_TYPE } }, signal);
    },
    field: "device.type_id",
  },
  "POST login 429": {
    call: async ({ clientOf }) => {
      await using other = await hosted();
      const client = clientOf(other);
      const guess = { member: { email_address: other.email, password: "wrong" } };
      for (let tries = 0; tries < 10; tries += 1) await client.login(guess, signal).catch(() => {});
      return await client.login(guess, signal);
    },
    retryAfter: true,
  },
};

/** Every refusal of the contract, by its key. */
export const REFUSALS: ReadonlyMap<string, Refused> = new Map(
  CONTRACT.flatMap((row) =>
    Object.keys(row.statuses).flatMap((text) => {
      const key = caseKey(row, Number(text));
      const refused = SPECIAL[key] ?? general(`${row.method} ${row.path}`, Number(text));
      return refused === undefined ? [] : [[key, refused] as const];
    }),
  ),
);
