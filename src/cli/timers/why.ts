import { Command } from "commander";
import { systemZone } from "../../kit/machine/machine.ts";
import { type EpochMs, formatTimeOfDay } from "../../model/time.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import type { Config } from "../../recorder/config/schema.ts";
import { type Explanation, explain } from "../../recorder/report/core/why.ts";
import { type ReadLedger, stateInFolder } from "../../recorder/store/state-store.ts";
import { factsAbout } from "../../recorder/store/timer-facts.ts";
import { configOption } from "../defaults.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";

/** The named timer does not exist. */
const EXIT_UNKNOWN = 1;

interface WhyOptions {
  readonly config: string;
  readonly json?: boolean;
}

/**
 * `recorderd why TIMER`: a timer's history from the ledger; works with or without a running daemon (R-10).
 *
 * @throws RecorderdError FILE_UNREADABLE or CONFIG_INVALID from `parseAsync`
 */
export function whyCommand(io: CliIo): Command {
  return new Command("why")
    .description("explain what happened to a timer, and why it was recorded or not")
    .argument("<timer>", "id of the timer, from `recorderd timers --all`")
    .addOption(configOption("configuration of the recorder, which names the data folder and the time zone"))
    .option("--json", "print facts and sentences as one JSON document")
    .action(async (timerId: string, { config, json }: WhyOptions) => {
      const { timeZone = systemZone(), ...rest } = await loadConfig(config);
      await using ledger = await ledgerOf(rest, io);
      const facts = await factsAbout(ledger.read, timerId);
      if (facts.length === 0) {
        io.note(`The ledger in ${ledger.place} has no timer ${plainLine(timerId)}.`);
        return io.exitCode(EXIT_UNKNOWN);
      }
      const told = explain(facts, { timeZone });
      if (json === true) io.print(plainJson({ timerId, ...told, facts }));
      else io.print(linesOf(told, { timerId, timeZone }).join("\n"));
    });
}

interface OpenedLedger extends AsyncDisposable {
  readonly place: string;
  readonly read: ReadLedger;
}

/** The ledger in the data folder, or in the database of a fleet, whose code is loaded only for one. */
async function ledgerOf(
  config: Pick<Config, "data" | "fleet">,
  { clock }: Pick<CliIo, "clock">,
): Promise<OpenedLedger> {
  if (config.fleet === undefined) {
    const { place, readLedger: read } = stateInFolder(config.data.folder);
    return { place, read, [Symbol.asyncDispose]: async () => {} };
  }
  const [{ openFleetDatabase }, { readSharedLedger }] = await Promise.all([
    import("../../recorder/fleet/access.ts"),
    import("../../recorder/fleet/shared-ledger.ts"),
  ]);
  const database = await openFleetDatabase(config, { use: "state", clock });
  return {
    place: database.place,
    read: (about) => readSharedLedger(database, about),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

function linesOf(
  { title, verdict, lines }: Explanation,
  { timerId, timeZone }: { readonly timerId: string; readonly timeZone: string },
): readonly string[] {
  const head = plainLine(`Timer ${timerId}${title === undefined ? "" : `: ${title}`}`);
  const out = [head, ...(verdict === undefined ? [] : [plainLine(verdict)])];
  let today = "";
  for (const { at, text } of lines) {
    const date = dayText(at, timeZone);
    if (date !== today) out.push("", date);
    today = date;
    out.push(`  ${formatTimeOfDay(at, timeZone)}  ${plainLine(text)}`);
  }
  return out;
}

/** `Friday 2026-11-20`: built here, since locale formats change between versions. */
function dayText(at: EpochMs, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "long",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.get("weekday")} ${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
}
