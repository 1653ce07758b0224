import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOST_LIMITS } from "../../../src/recorder/capture/host/limits.ts";
import { send } from "../../../src/recorder/capture/host/protocol.ts";
import { serveCaptures } from "../../../src/recorder/capture/host/server.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-host-server-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("a capture host without captures", () => {
  it("ends after a while, and later if a capture is announced", async () => {
    const clock = createVirtualClock(0);
    const path = join(folder, "host.sock");
    let isOver = false;
    const over = serveCaptures({ path, version: "1", clock }, new AbortController().signal).then(() => {
      isOver = true;
    });
    // It sleeps for the first time when it listens.
    while (clock.sleepers === 0) await new Promise(setImmediate);
    const daemon = connect(path);
    await once(daemon, "data");
    await clock.advance(HOST_LIMITS.idleMs - 1000);
    send(daemon, { type: "alert" });
    send(daemon, { type: "stop", request: 1, id: "r0.1" });
    // An answer to a later message shows that this one was received.
    await once(daemon, "data");
    await clock.advance(HOST_LIMITS.alertMs + HOST_LIMITS.idleMs - 1000);
    expect(isOver).toBe(false);
    await clock.advance(2000);
    await over;
    daemon.destroy();
  });
});
