import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGuideClient } from "../../../src/guide-wire/client.ts";
import { createHttpClient } from "../../../src/kit/http/http.ts";
import { bookOnce, cancelOnce } from "../../../src/recorder/store/booking.ts";
import { type Hosted, hosted, SHOW_ID } from "../../guide-server/hosted.ts";

const API_KEY = "key of the application";
const LOSER = 13;

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-rebooking-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** An account with one timer, and the parts that book another show in its place. */
async function withLoser(service: Hosted) {
  const http = createHttpClient();
  const { signal } = new AbortController();
  const { clock } = service;
  const client = createGuideClient({
    baseUrl: service.baseUrl,
    apiKey: API_KEY,
    applicationVersion: "recorderd/test",
    wire: "json",
    http,
    clock,
    credentials: () => ({ email: service.email, token: service.token }),
  });
  await client.addTimer({ device_id: 1, show_id: LOSER }, signal).catch(() => undefined);
  const [loser] = await service.server.timers(service.email);
  return {
    rebook: async (showId: number) => {
      await bookOnce({
        client,
        order: { device_id: 1, show_id: showId },
        looksFirst: true,
        folder: join(folder, "bookings"),
        clock,
        signal,
      });
      await cancelOnce(client, loser?.id ?? "", signal);
    },
    shows: async () =>
      (await service.server.timers(service.email))
        .filter(({ action }) => action === "record")
        .map(({ show_id }) => show_id),
    [Symbol.asyncDispose]: () => http.close(),
  };
}

describe("R-17 a recording booked in place of another", () => {
  it("replaces it once, however often it is requested", async () => {
    await using service = await hosted({ apiKey: API_KEY });
    await using account = await withLoser(service);
    expect(await account.shows()).toEqual([LOSER]);
    await account.rebook(SHOW_ID);
    expect(await account.shows()).toEqual([SHOW_ID]);
    await account.rebook(SHOW_ID);
    expect(await account.shows()).toEqual([SHOW_ID]);
  });

  it("leaves the other one alone if the booking fails", async () => {
    await using service = await hosted({ apiKey: API_KEY });
    await using account = await withLoser(service);
    await expect(account.rebook(999)).rejects.toThrow();
    expect(await account.shows()).toEqual([LOSER]);
  });

  it("is booked once and replaces it even if answers are lost", async () => {
    // Every other answer to an order is lost: that of the second one here.
    await using service = await hosted({ apiKey: API_KEY, misbehave: { kinds: ["lost-answer"], seed: 1 } });
    await using account = await withLoser(service);
    await account.rebook(SHOW_ID).catch(() => account.rebook(SHOW_ID));
    expect(await account.shows()).toEqual([SHOW_ID]);
  });
});
