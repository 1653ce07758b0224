import { RecorderdError } from "../../model/errors.ts";
import { WORK_KINDS } from "../../model/set-aside.ts";
import { readSetAside } from "../subsystems/power/set-aside.ts";
import type { CheckContext } from "./check.ts";
import { bad, good, type Result, unknown } from "./finding.ts";

/** Work that starved the daemon and is suspended. */
export async function lookAtSetAside({ config, clock }: CheckContext): Promise<readonly Result[]> {
  try {
    const list = await readSetAside(config.data.folder, clock.now());
    if (list.length === 0) return [good("no work blocks the daemon")];
    return list.map(({ kind, subject, at, times, until }) =>
      bad({
        found: `${`${kind} ${subject}`.trimEnd()} blocked the daemon (${times} times, the last at ${new Date(at).toISOString()})`,
        expected: "work that ends in time",
        todo: `Please report it, with the log of that time. ${WORK_KINDS[kind]} recorderd tries again at ${new Date(until).toISOString()}.`,
      }),
    );
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    return [unknown(error.message)];
  }
}
