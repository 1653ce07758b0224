// Loaded before a program that is watched: node --import loop-delay-child.js. At each SIGUSR2 it writes to the file that LOOP_DELAY
// names how long the program did nothing else at the longest, and begins anew.
import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on("SIGUSR2", () => {
  // Later: what kept it from hearing of the signal is counted right after.
  setTimeout(() => {
    const file = process.env["LOOP_DELAY"];
    if (file !== undefined) writeFileSync(file, String(delay.max / 1e6));
    delay.reset();
  }, 100);
});
