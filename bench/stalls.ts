import { join } from "node:path";
import { openBroadcaster, type Way } from "./capture/broadcast.ts";
import { pauseMs } from "./capture/contender.ts";
import { recordWithDaemon } from "./capture/daemon.ts";
import { mountDisk } from "./capture/disk.ts";
import { type Benchmark, type Case, count } from "./harness.ts";

/** A memory card may take so long to make room. */
const STALL_MS = 5000;
const STALLS = 2;
const BETWEEN_MS = 8000;
/** More than a transmission needs for the stalls and the pauses around them. */
const SECONDS = 45;

/**
 * Recordings to a disk that stands still for five seconds, with the recorder's data folder on it. By HTTP the broadcaster says
 * how much it had to keep back; packets by UDP are lost where nobody takes them. Only root may run it.
 */
export function stallsBenchmark({ recordings }: { readonly recordings: readonly number[] }): Benchmark {
  return {
    name: "stalls",
    onlyWhenNamed: true,
    settles: true,
    open: async (parent) => {
      const folder = join(parent, "disk");
      const disk = await mountDisk(join(parent, "disk.img"), folder);
      const broadcaster = await openBroadcaster(parent);
      const caseOf = (way: Way, number: number): Case => ({
        name: `${way} × ${number}`,
        run: async () => {
          await broadcaster.figures();
          const sent = broadcaster.send(way, number);
          const running = await recordWithDaemon({ folder, ...sent, seconds: SECONDS }, "host");
          for (let nth = 0; nth < STALLS; nth += 1) {
            await pauseMs(BETWEEN_MS);
            await disk.stall(STALL_MS);
          }
          const { continuityErrors, damaged, lostBytes = 0 } = await running.end();
          const { behindBytes } = await broadcaster.figures();
          return {
            lost: { value: lostBytes, unit: "bytes" },
            "continuity errors": count(continuityErrors),
            damaged: { value: damaged, unit: "recordings" },
            "broadcaster behind": { value: behindBytes / 1e6, unit: "MB" },
          };
        },
      });
      return {
        cases: recordings.flatMap((number) => [caseOf("http", number), caseOf("udp", number)]),
        [Symbol.asyncDispose]: async () => {
          await broadcaster[Symbol.asyncDispose]();
          await disk[Symbol.asyncDispose]();
        },
      };
    },
  };
}
