// A life of the daemon's loop that has done nothing else, with the data of the life before; prints how long it stood still.
import { openLoop } from "./loop.ts";
import { tunersOf } from "./orders.ts";

const [, , folder = "", tuners = ""] = process.argv;
await using loop = await openLoop({ tuners: tunersOf(Number(tuners)), folder, startAt: 0 });
process.stdout.write(JSON.stringify(await loop.blockedBy(loop.begins)));
