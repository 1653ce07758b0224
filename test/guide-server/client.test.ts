import { describe, expect, it } from "vitest";
import { createGuideClient } from "../../src/guide-wire/client.ts";
import { createHttpClient } from "../../src/kit/http/http.ts";
import { GUIDE, hosted, PASSWORD, SHOW_ID } from "./hosted.ts";

const signal = new AbortController().signal;

describe.each(["json", "xml"] as const)("our own client, speaking %s", (wire) => {
  it("handles the whole protocol: it signs in, reads the guide, adds, changes and deletes, and signs out", async () => {
    await using guide = await hosted({ apiKey: "a key" });
    await using http = createHttpClient();
    let credentials: { readonly email: string; readonly token: string } | undefined;
    const client = createGuideClient({
      baseUrl: guide.baseUrl,
      apiKey: "a key",
      applicationVersion: "recorderd/test",
      wire,
      http,
      clock: guide.clock,
      credentials: () => credentials,
    });
    const member = { email_address: guide.email, password: PASSWORD };
    const order = { uid: "XY", label: "Client", type_id: 1 };
    const login = (await client.login({ member, device: order }, signal)).value;
    credentials = { email: guide.email, token: login.member.token };
    const deviceId = login.device?.id ?? 0;

    expect((await client.regions(signal)).value.regions).toHaveLength(2);
    expect((await client.region(2, signal)).value.regions[0]?.timezone).toBe("AWST-8");
    expect((await client.channels(signal)).value.channels).toHaveLength(2);
    expect((await client.regionChannels(1, signal)).value.channels[0]?.dvb).toHaveLength(1);
    expect((await client.manufacturers(signal)).value.manufacturers).toHaveLength(1);
    expect((await client.manufacturer("1", signal)).value.manufacturers[0]?.name).toBe("recorderd");
    expect((await client.deviceTypes(signal)).value.types.slice(0, 2)).toEqual(GUIDE.types);
    expect((await client.mostPopular(signal)).value.most_popular[0]?.popularity_ratio).toBe(1);
    expect((await client.newShows(signal)).value.new_shows).toHaveLength(2);

    const [added] = (await client.addDevices([{ label: "More", type_id: 2 }], signal)).value.devices;
    const changed = await client.setDevice(added?.id ?? 0, { label: "Less" }, signal);
    expect(changed.value.devices[0]).toMatchObject({ label: "Less", type_id: 2 });
    await client.deleteDevice(added?.id ?? 0, signal);
    await expect(client.device(added?.id ?? 0, signal)).rejects.toMatchObject({ code: "GUIDE_NOT_FOUND" });
    expect((await client.devices(signal)).value.devices.map(({ id }) => id)).toContain(deviceId);

    const [timer] = (await client.addTimer({ show_id: SHOW_ID, device_id: deviceId }, signal)).value.timers;
    const id = timer?.id ?? "";
    expect((await client.timers(signal)).value.timers.map(({ state }) => state)).toEqual(["waiting"]);
    const told = await client.setTimer(id, { state: "running", message: "Läuft" }, signal);
    expect(told.value.timers[0]).toMatchObject({ state: "running", message: "Läuft" });
    expect(told.serverTime).toBeGreaterThan(0);
    await expect(client.setTimer(id, { state: "asleep" }, signal)).rejects.toMatchObject({
      code: "GUIDE_NOT_ACCEPTABLE",
      facts: { field: "state", serviceCode: "not_acceptable" },
    });
    await client.deleteTimer(id, signal);
    expect((await client.timer(id, signal)).value.timers[0]?.action).toBe("forget");
    await client.deleteTimer(id, signal);
    expect((await client.timers(signal)).value.timers).toEqual([]);

    await client.logout(signal);
    await expect(client.timers(signal)).rejects.toMatchObject({ code: "GUIDE_SIGN_IN_NEEDED" });
  });
});
