import { mkdir } from "node:fs/promises";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { TunerDriver } from "../../../src/model/ports.ts";
import type { Triplet } from "../../../src/model/service.ts";
import { createCapture } from "../../../src/recorder/capture/capture.ts";
import { segmentFile } from "../../../src/recorder/capture/files.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { outOfPatience } from "../../patience.ts";
import { SHORT, watch } from "../capture/capture-contract.ts";

/** Records services of one tuner at once, until the tables of each are on disk. */
export async function recordedFrom(driver: TunerDriver, services: readonly Triplet[], folder: string) {
  await mkdir(folder, { recursive: true });
  const clock = systemClock();
  const capture = createCapture({
    owner: folder,
    limits: SHORT,
    ffmpegPath: "ffmpeg",
    clock,
    log: silentLog,
    openInspection,
  });
  return await Promise.all(
    services.map(async (service) => {
      const patience = outOfPatience();
      await using session = await driver.open(service, patience);
      const id = `peer${service.sid}.1`;
      const file = segmentFile(folder, id);
      const order = { id, source: session.source, service, file, endsBy: clock.now() + 60_000 };
      await capture.start(order);
      const watched = watch(capture, order);
      await watched.flowing();
      await using inspection = openInspection(file, service);
      for (let onid: number | undefined; onid === undefined; ) {
        onid = (await inspection.advance(patience)).originalNetworkId;
        await clock.sleep(50, patience);
      }
      const reception = await driver.reception?.(service, patience);
      await capture.stop(id);
      await watched.end;
      const { payloadPackets, continuityErrors, services: onAir } = await inspection.advance(patience);
      const named = onAir.find(({ sid }) => sid === service.sid)?.triplet;
      return { service, payloadPackets, continuityErrors, named, reception };
    }),
  );
}
