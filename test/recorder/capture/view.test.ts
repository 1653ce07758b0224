import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { CAPTURE_LIMITS } from "../../../src/recorder/capture/limits.ts";
import { openView } from "../../../src/recorder/capture/view.ts";

const SERVICE = { onid: 1, tsid: 2, sid: 3 };

async function opened(signal: AbortSignal, firstPayloadMs: number): Promise<unknown> {
  const silent = createServer(() => {});
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const source = { url: `http://127.0.0.1:${port}/`, programme: "single" } as const;
  const limits = { ...CAPTURE_LIMITS, firstPayloadMs };
  try {
    return await openView(
      { source, service: SERVICE },
      { ffmpegPath: "ffmpeg", clock: systemClock(), limits },
      signal,
    );
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
}

it("a view of a silent source fails with STREAM_NO_DATA at its deadline", async () => {
  const { signal } = new AbortController();
  await expect(opened(signal, 300)).rejects.toMatchObject({ code: "STREAM_NO_DATA" });
});

it("an aborted view fails with the reason of the signal", async () => {
  const over = new AbortController();
  const view = expect(opened(over.signal, 600_000)).rejects.toThrow("called off");
  over.abort(new Error("called off"));
  await view;
});
