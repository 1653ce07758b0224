import { Command } from "commander";
import { SECOND } from "../../model/time.ts";
import { discoverServers } from "../../recorder/tune/discover.ts";
import { TUNER_KINDS } from "../../recorder/tune/registry.ts";
import type { CliIo } from "../io.ts";
import { plainJson } from "../plain-text.ts";
import { tableText } from "../table.ts";

const EXIT_NOTHING = 1;
const LISTEN_MS = 4 * SECOND;

const SERVERS = TUNER_KINDS.flatMap(({ discovery }) => discovery?.servers ?? []).join(" and ");

/** `recorderd tuners discover`: finds tuner servers on the machine's networks. */
export function tunersDiscoverCommand(io: CliIo): Command {
  return new Command("discover")
    .description(`search the networks of this machine for ${SERVERS}, for four seconds`)
    .option("--json", "print the result as one JSON document", false)
    .action(async ({ json }: { readonly json: boolean }) => {
      const servers = await discoverServers({ clock: io.clock, forMs: LISTEN_MS }, io.signal);
      if (servers.length === 0) io.exitCode(EXIT_NOTHING);
      if (json) return io.print(plainJson({ servers }));
      if (servers.length === 0) return io.note("no server answers");
      const rows = servers.map(({ kind, address, tuners, name }) => [
        kind,
        address,
        tuners === undefined ? "" : String(tuners),
        name,
      ]);
      io.print(tableText({ head: ["KIND", "ADDRESS", "TUNERS", "NAME"], rows }, io.columns));
    });
}
