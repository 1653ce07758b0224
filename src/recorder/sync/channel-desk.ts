import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { DurableFile } from "../../kit/files/durable-file.ts";
import type { Log } from "../../kit/log.ts";
import { type KnownService, type MatchedChannel, matchServices } from "../../model/channel-match.ts";
import { RecorderdError } from "../../model/errors.ts";
import { MODEL_LIMITS } from "../../model/limits.ts";
import type { GuideAccount } from "../../model/ports.ts";
import { type Channel, sameTriplet, type Triplet, type TripletKey, tripletKey } from "../../model/service.ts";
import { canReceive, type TunerFacts } from "../../model/tuner.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";

const Id = z.int().min(0).max(0xffff);
const TripletSchema = z.object({ onid: Id, tsid: Id, sid: Id });
const Stored = z.object({
  /** The oldest first. */
  services: z.array(
    z.object({
      triplet: TripletSchema,
      name: z.string(),
      lcn: z.int().optional(),
      isRadio: z.literal(true).optional(),
    }),
  ),
  assigned: z.record(z.string(), TripletSchema),
});

interface DeskParts {
  readonly folder: string;
  /** The same array while the tuners and their services are the same. */
  readonly tuners: () => readonly TunerFacts[];
  /** The stored channels, used until the guide's first list of this run. */
  readonly held: () => readonly Channel[];
  readonly log: Log;
}

/**
 * Matches the guide's channels to services (docs/dev/decisions/0040-ordinary-listings.md). Known services and manual
 * assignments survive the daemon.
 */
export class ChannelDesk implements AsyncDisposable {
  readonly #parts: DeskParts;
  readonly #file: DurableFile;
  readonly #services: Map<TripletKey, KnownService>;
  /** The pending write of known services. */
  #writing: Promise<void> = Promise.resolve();
  #assigned: ReadonlyMap<string, Triplet>;
  /** The tuners whose services were stored. */
  #heard: readonly TunerFacts[] | undefined;
  /** The number of changes to the known services. */
  #learnt = 0;
  /** The guide's channel list. */
  #channels: readonly Channel[] | undefined;
  #matched: { readonly of: readonly unknown[]; readonly all: readonly MatchedChannel[] } | undefined;

  private constructor(parts: DeskParts, file: DurableFile, stored: z.infer<typeof Stored>) {
    this.#parts = parts;
    this.#file = file;
    this.#services = new Map();
    this.#keep(stored.services.map(knownOf));
    this.#assigned = new Map(Object.entries(stored.assigned));
  }

  /**
   * An unreadable file counts as empty: tuners and the broadcast name services again, and people can assign again.
   */
  static async open(parts: DeskParts): Promise<ChannelDesk> {
    const file = new DurableFile({ file: join(parts.folder, "services.json"), keepsPrevious: false });
    const nothing = { services: [], assigned: {} };
    try {
      const stored = await file.read((text) => Stored.parse(JSON.parse(text)));
      return new ChannelDesk(parts, file, stored?.value ?? nothing);
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      parts.log.error("services.json cannot be read: known services and assignments are dropped", {
        text: error.message,
      });
      return new ChannelDesk(parts, file, nothing);
    }
  }

  /** Wraps the account: its channels get the services found for them. */
  withServices(account: GuideAccount): GuideAccount {
    return {
      ...account,
      channels: async (signal) => {
        this.#channels = await account.channels(signal);
        return this.channels();
      },
    };
  }

  /** The guide's channels with the services known now. */
  channels(): readonly Channel[] {
    return this.matched().map(({ channel }) => channel);
  }

  matched(): readonly MatchedChannel[] {
    const tuners = this.#parts.tuners();
    if (this.#heard !== tuners) this.learn(tuners.flatMap(({ offers = [] }) => offers));
    this.#heard = tuners;
    const of = [this.#channels, tuners, this.#assigned, this.#learnt];
    if (this.#channels !== undefined && this.#matched?.of.every((one, index) => one === of[index]))
      return this.#matched.all;
    const all = matchServices(this.#channels ?? this.#parts.held(), {
      services: this.services(),
      assigned: this.#assigned,
      isReceived: (service) => tuners.some((tuner) => canReceive(tuner, service)),
    });
    this.#matched = { of, all };
    return all;
  }

  /** The known services that a tuner receives. */
  services(): readonly KnownService[] {
    const tuners = this.#parts.tuners();
    return [...this.#services]
      .filter(([key]) => tuners.some((tuner) => canReceive(tuner, key)))
      .map(([, service]) => service);
  }

  /** Whether more known services would help: a channel has no received one. */
  isInDoubt(): boolean {
    return this.matched().some(({ by }) => by === undefined);
  }

  /** The guide's name of the channel that was matched to this service. */
  nameFor(service: Triplet): string | undefined {
    const found = this.matched().find(
      ({ channel: { triplets }, by }) =>
        by !== undefined && by !== "guide" && triplets[0] !== undefined && sameTriplet(triplets[0], service),
    );
    return found?.channel.name;
  }

  /** Stores services that tuners or the broadcast name. @returns whether any was new */
  learn(services: readonly KnownService[]): boolean {
    if (!this.#keep(services)) return false;
    this.#writing = this.#write().catch((error: unknown) => {
      this.#parts.log.warn("services.json cannot be written", { text: String(error) });
    });
    return true;
  }

  /**
   * Assigns a channel's service as a person says; `undefined`: match it automatically again. Durable when it
   * resolves.
   *
   * @throws RecorderdError DISK_FULL or WRITE_FAILED
   */
  async assign(channelId: string, service: Triplet | undefined): Promise<void> {
    const before = this.#assigned.get(channelId);
    this.#hold(channelId, service);
    try {
      await this.#write();
    } catch (error) {
      // Undo this channel alone: others may have been assigned meanwhile.
      this.#hold(channelId, before);
      throw error;
    }
  }

  #hold(channelId: string, service: Triplet | undefined): void {
    const next = new Map(this.#assigned);
    if (service === undefined) next.delete(channelId);
    else next.set(channelId, service);
    this.#assigned = next;
  }

  /** Waits for the pending write. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#writing;
  }

  /** A service without a name never replaces the name of a known one. */
  #keep(services: readonly KnownService[]): boolean {
    let isNews = false;
    for (const service of services) {
      const key = tripletKey(service.triplet);
      const before = this.#services.get(key);
      const next = knownOf({
        ...service,
        name: service.name || (before?.name ?? ""),
        lcn: service.lcn ?? before?.lcn,
        isRadio: service.isRadio ?? before?.isRadio,
      });
      if (before !== undefined && isDeepStrictEqual(before, next)) continue;
      isNews = true;
      this.#services.delete(key);
      this.#services.set(key, next);
      this.#learnt += 1;
    }
    for (const key of this.#services.keys()) {
      if (this.#services.size <= MODEL_LIMITS.knownServices) break;
      this.#services.delete(key);
    }
    return isNews;
  }

  #write(): Promise<void> {
    const stored: z.input<typeof Stored> = {
      services: [...this.#services.values()],
      assigned: Object.fromEntries(this.#assigned),
    };
    return this.#file.replace(JSON.stringify(stored));
  }
}

function knownOf({
  triplet: { onid, tsid, sid },
  name,
  lcn,
  isRadio,
}: z.infer<typeof Stored>["services"][number]): KnownService {
  return { triplet: { onid, tsid, sid }, name, ...withoutUndefined({ lcn, isRadio }) };
}
