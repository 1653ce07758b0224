import type { GuideService } from "../model/broadcast-guide.ts";
import { RecorderdError } from "../model/errors.ts";
import type { AnnouncedEvent } from "../model/inspection.ts";
import type { BroadcastDesk } from "../model/ports.ts";
import { tripletKey } from "../model/service.ts";
import { SECOND } from "../model/time.ts";
import { withoutUndefined } from "../model/without-undefined.ts";
import type { GuideClient } from "./client.ts";
import type { Document } from "./documents.ts";
import { GUIDE_WIRE_LIMITS } from "./limits.ts";
import { BROADCAST_GUIDE_SETTING } from "./records.ts";

/** Implements the port with a client. It caches nothing and retries nothing. */
export function broadcastDesk(client: GuideClient): BroadcastDesk {
  return {
    takes: async (signal) => {
      try {
        const { settings } = (await client.settings(signal)).value;
        return settings.some(({ name, value }) => name === BROADCAST_GUIDE_SETTING && value === "1");
      } catch (error) {
        // A service with only the specification has no settings.
        if (error instanceof RecorderdError && error.code === "GUIDE_NOT_FOUND") return false;
        throw error;
      }
    },
    bring: async (services, signal) => {
      await client.sendBroadcastGuide(documentOf(services), signal);
    },
  };
}

function documentOf(services: readonly GuideService[]): Document<"broadcast-guide"> {
  const events = new Map(
    services.flatMap(({ blocks }) =>
      blocks.flatMap((block) =>
        block.events.map((event) => [`${tripletKey(event.service)} ${event.eventId}`, event] as const),
      ),
    ),
  );
  return {
    services: services.map(({ triplet, name, isReceived }) => ({
      ...triplet,
      ...(name === "" ? {} : { name }),
      ...(isReceived ? { received: 1 } : {}),
    })),
    spans: services.flatMap(({ triplet, blocks }) =>
      blocks.flatMap(({ span }) =>
        span === undefined
          ? []
          : [{ ...triplet, start_unix: span.start / SECOND, stop_unix: span.stop / SECOND }],
      ),
    ),
    events: [...events.values()].map(eventOf),
  };
}

function eventOf(event: AnnouncedEvent): Document<"broadcast-guide">["events"][number] {
  const { service, eventId, start, durationMs, title, text, programmeCrid, seriesCrid } = event;
  return {
    ...service,
    eit_id: eventId,
    start_unix: start / SECOND,
    stop_unix: Math.ceil((start + durationMs) / SECOND),
    title,
    ...(text === "" ? {} : { desc: text }),
    ...withoutUndefined({ programme_crid: identifier(programmeCrid), series_crid: identifier(seriesCrid) }),
  };
}

/** A broadcast may send a longer text than any identifier; a cut one would be that of something else. */
function identifier(text: string | undefined): string | undefined {
  return (text?.length ?? 0) <= GUIDE_WIRE_LIMITS.idLength ? text : undefined;
}
