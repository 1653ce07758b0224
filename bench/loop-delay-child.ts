// Loaded before a program that is watched: node --import loop-delay-child.js. At its end it writes to the file that LOOP_WATCH names how long
// the program did nothing else at the longest, since it began or was sent SIGUSR2.
import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
// Later: what kept it from hearing of the signal is counted right after.
process.on("SIGUSR2", () => setTimeout(() => delay.reset(), 100));
process.on("exit", () => {
  const file = process.env["LOOP_WATCH"];
  if (file !== undefined) writeFileSync(file, JSON.stringify({ longestMs: delay.max / 1e6 }));
});
