import { Command } from "commander";
import type { BroadcastGuide } from "../model/broadcast-guide.ts";
import type { AnnouncedEvent } from "../model/inspection.ts";
import { type Triplet, tripletKey } from "../model/service.ts";
import { readBroadcastGuide } from "../mpeg-ts/tables/broadcast-guide.ts";
import type { CliIo } from "./io.ts";
import { NETWORKS_OPTION, networksIn } from "./tuners/networks.ts";

/**
 * `recorderd listing FILE`: the EIT of a transport stream, as a listing for the guide server.
 *
 * @throws RecorderdError FILE_UNREADABLE from `parseAsync`
 */
export function listingCommand(io: CliIo): Command {
  return new Command("listing")
    .description("print the event tables (EIT) of a transport stream file as an XMLTV listing")
    .argument("<file>", "a recording or a capture of a multiplex")
    .option(...NETWORKS_OPTION)
    .action(async (file: string, { config }: { readonly config?: string }) => {
      const guide = await readBroadcastGuide(file, await networksIn(config));
      io.print(listingText(guide));
      io.note(`${guide.services.length} services, ${guide.events.length} events`);
    });
}

function listingText({ services, events }: BroadcastGuide): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE tv SYSTEM "xmltv.dtd">',
    '<tv generator-info-name="recorderd">',
    ...services.map(
      ({ triplet, name }) =>
        `<channel id="${idOf(triplet)}"><display-name>${escaped(name === "" ? tripletKey(triplet) : name)}</display-name></channel>`,
    ),
    ...events.filter(({ title }) => title !== "").map(programmeText),
    "</tv>",
  ].join("\n");
}

function programmeText(event: AnnouncedEvent): string {
  const { service, eventId, start, durationMs, title, text, programmeCrid, seriesCrid } = event;
  const numbers = { dvb_event_id: eventId, "crid.programme": programmeCrid, "crid.series": seriesCrid };
  const told = Object.entries(numbers).filter(([, number]) => number !== undefined);
  const times = `start="${timeText(start)}" stop="${timeText(start + durationMs)}"`;
  const desc = text === "" ? "" : `<desc>${escaped(text)}</desc>`;
  return (
    `<programme ${times} channel="${idOf(service)}"><title>${escaped(title)}</title>${desc}` +
    told
      .map(([system, number]) => `<episode-num system="${system}">${escaped(String(number))}</episode-num>`)
      .join("") +
    "</programme>"
  );
}

/** The triplet in the style of Australian listings: 16 bits each, in hexadecimal. */
function idOf({ onid, tsid, sid }: Triplet): string {
  return `tv.${[onid, tsid, sid].map((part) => part.toString(16).padStart(4, "0")).join("")}`;
}

function timeText(at: number): string {
  return `${new Date(at).toISOString().replace(/[-:T]/g, "").slice(0, 14)} +0000`;
}

/** Descriptor texts no longer contain the control codes that XML forbids. */
function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
