// The process of the capture host. Arguments: its folder, our version.
import { open } from "../../../kit/files/steady-fs.ts";
import { systemClock } from "../../../kit/time/clock.ts";
import { hostSocket } from "./place.ts";
import { serveCaptures } from "./server.ts";

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopping.abort());

const [, , folder = "", version = ""] = process.argv;
await using place = await open(folder);
await serveCaptures({ path: hostSocket(place), version, clock: systemClock() }, stopping.signal);
