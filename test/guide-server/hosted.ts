import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GuideData } from "../../src/guide-server/domain/catalogue.ts";
import { type GuideServer, type GuideServerOptions, openGuideServer } from "../../src/guide-server/server.ts";
import { decodeDocument, encodeDocument, type WireFormat } from "../../src/guide-wire/codec.ts";
import type { Document, DocumentKind } from "../../src/guide-wire/documents.ts";
import { createHttpClient } from "../../src/kit/http/http.ts";
import { NO_COST } from "../../src/kit/http/password.ts";
import { silentLog } from "../../src/kit/log.ts";
import { type EpochMs, HOUR } from "../../src/model/time.ts";
import { createVirtualClock, type VirtualClock } from "../../src/simulator/virtual-clock.ts";
import { outOfPatience } from "../patience.ts";
import { engineOf } from "./engines.ts";

/** 2026-11-20T09:00:00Z */
export const NOW = Date.UTC(2026, 10, 20, 9);
export const SHOW_ID = 11;
export const PASSED_SHOW_ID = 12;

/** The fields that all channels share here. */
const PLACE = { network_id: 3, network_name: "Harbour", region_id: 1, region_name: "Sydney", is_hidden: 0 };
const MAKER = { manufacturer_id: 1, manufacturer_name: "recorderd", manufacturer_url: "", notes: "" };

export const GUIDE: GuideData = {
  regions: [
    {
      ...{ id: 1, name: "Sydney", city: "Sydney", state: "NSW", country: "Australia" },
      ...{ country_code_3: "AUS", timezone: "Australia/Sydney" },
    },
    {
      ...{ id: 2, name: "Perth", city: "Perth", state: "WA", country: "Australia" },
      ...{ country_code_3: "AUS", timezone: "AWST-8" },
    },
  ],
  channels: [
    {
      id: 7,
      ...PLACE,
      ...{ name: "Harbour <One> & “Co”", name_short: "One", is_hd: 1, lcns: "20,21" },
      dvb: [{ original_network_id: 0x1010, transport_stream_id: 0x0221, service_id: 0x0220 }],
    },
    { id: 8, ...PLACE, name: "No triplet", name_short: "None", is_hd: 0, lcns: "" },
  ],
  manufacturers: [{ id: "1", name: "recorderd", url: "" }],
  types: [
    { id: 1, ...MAKER, model: "Daemon", can_have_device_sub: 0 },
    { id: 2, ...MAKER, model: "Box", can_have_device_sub: 1 },
  ],
  series: [
    { id: "s1", summary: { id: "s1", title: "Nordlichter – été" }, votes: 4, isNew: false },
    { id: "s2", summary: { id: "s2", title: "New thing" }, votes: 1, isNew: true },
    { id: "s3", summary: { id: "s3", title: "Not yet" }, votes: 0, isNew: true },
  ],
  shows: [
    {
      id: SHOW_ID,
      channelId: 7,
      seriesId: "s1",
      start: NOW + HOUR,
      durationMinutes: 60,
      title: "Été & <Winter>",
      eitId: 77,
    },
    { id: PASSED_SHOW_ID, channelId: 7, start: NOW - 2 * HOUR, durationMinutes: 60, title: "Over" },
    { id: 13, channelId: 8, seriesId: "s2", start: NOW + 6 * HOUR, durationMinutes: 30, title: "New thing" },
  ],
};

export interface Ask {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With its query, without credentials. */
  readonly path: string;
  /** Whether the credentials are sent; true by default. */
  readonly anonymous?: boolean;
  /** The user of another session than the owner's. */
  readonly email?: string;
  readonly token?: string;
  /** A body that is sent unchanged, because it is no document. */
  readonly text?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  read<K extends DocumentKind>(kind: K): Document<K>;
}

export interface Hosted extends AsyncDisposable {
  readonly server: GuideServer;
  readonly clock: VirtualClock;
  readonly baseUrl: string;
  readonly folder: string;
  readonly email: string;
  readonly token: string;
  /** That of the account's device. */
  readonly deviceId: number;
  ask(ask: Ask): Promise<Answer>;
  /** Sends a document and asks for one in the same format. */
  send<K extends DocumentKind>(
    ask: Ask,
    wire: WireFormat,
    body?: { readonly kind: K; readonly value: Document<K> },
  ): Promise<Answer>;
  /** Books a show of one hour that begins in an hour, on channel 7 by default; the timer's id. */
  book(channelId?: number): Promise<string>;
}

export const PASSWORD = "correct horse";
const EMAIL = "viewer+tv@example.org";

export async function hosted(
  options: Partial<GuideServerOptions> & { readonly guide?: GuideData; readonly at?: EpochMs } = {},
): Promise<Hosted> {
  const folder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), "recorderd-guide-server-")));
  const { guide = GUIDE, at = NOW, ...more } = options;
  const clock = createVirtualClock(at);
  const server = await openGuideServer({
    ...(await engineOf(folder)),
    clock,
    log: silentLog,
    passwordCost: NO_COST,
    ...more,
    dataFolder: folder,
  });
  await server.seed(guide);
  await server.addAccount({ email: EMAIL, password: PASSWORD });
  const { baseUrl } = await server.listen({ host: "127.0.0.1", port: 0 });
  const http = createHttpClient();
  const ask = async (order: Ask, credentials: { readonly email: string; readonly token: string }) => {
    const url = new URL(order.path, baseUrl);
    if (order.anonymous !== true) {
      url.searchParams.set("email_address", order.email ?? credentials.email);
      url.searchParams.set("token", order.token ?? credentials.token);
    }
    if (options.apiKey !== undefined && !url.searchParams.has("api_key")) {
      url.searchParams.set("api_key", options.apiKey);
    }
    const body = order.text === undefined ? {} : { body: Buffer.from(order.text) };
    const outcome = await http.request(
      { method: order.method, url, headers: order.headers ?? {}, ...body, bodyBytesMax: 1e8 },
      outOfPatience(),
    );
    if (outcome.kind === "failed") throw new Error(`no answer: ${outcome.cause} ${outcome.code}`);
    const contentType = outcome.headers["content-type"] ?? "";
    return {
      ...outcome,
      read: <K extends DocumentKind>(kind: K) => decodeDocument(kind, outcome.body, { contentType }).value,
    };
  };
  const login = await ask(
    {
      method: "POST",
      path: "/login",
      anonymous: true,
      text: JSON.stringify({
        member: { email_address: EMAIL, password: PASSWORD },
        device: { uid: "AA:BB", label: "Lounge", type_id: 1 },
      }),
    },
    { email: "", token: "" },
  );
  const { member, device } = login.read("login");
  const credentials = { email: EMAIL, token: member.token };
  return {
    server,
    clock,
    baseUrl,
    folder,
    ...credentials,
    deviceId: device?.id ?? 0,
    ask: (order) => ask(order, credentials),
    send: (order, wire, body) => {
      const type = wire === "json" ? "application/json" : "application/xml";
      const encoded =
        body === undefined ? undefined : encodeDocument(body.kind, body.value, { format: wire });
      return ask(
        {
          ...order,
          ...(encoded === undefined ? {} : { text: encoded.body }),
          headers: {
            accept: type,
            ...(encoded === undefined ? {} : { "content-type": encoded.contentType }),
            ...order.headers,
          },
        },
        credentials,
      );
    },
    book: async (channelId = 7) => {
      const start = clock.now() + HOUR;
      const showId = await server.addShow({ channelId, start, durationMinutes: 60, title: "Booked" });
      return server.addTimer(EMAIL, { device_id: device?.id ?? 0, show_id: showId });
    },
    [Symbol.asyncDispose]: async () => {
      await http.close();
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
