import { join } from "node:path";
import { z } from "zod";
import { DurableFile } from "../../kit/files/durable-file.ts";
import type { Log } from "../../kit/log.ts";
import type { KnownService } from "../../model/channel-match.ts";
import { RecorderdError } from "../../model/errors.ts";
import { MODEL_LIMITS } from "../../model/limits.ts";
import { type Triplet, unknownMultiplex } from "../../model/service.ts";

const Id = z.int().min(0).max(0xffff);
const Service = z.object({
  triplet: z.object({ onid: Id, tsid: Id, sid: Id }),
  name: z.string(),
  lcn: z.int().optional(),
});
const Stored = z.object({
  /** Ordered by the time of the last scan, the oldest first. */
  multiplexes: z.array(z.object({ tunerId: z.string(), place: z.string(), services: z.array(Service) })),
});

/** One multiplex of one tuner, identified by its tuning. */
interface Place {
  readonly tunerId: string;
  readonly place: string;
}

/** The services found on tunable multiplexes. They are stored because plans depend on them. */
export class Scanned {
  readonly #file: DurableFile;
  readonly #log: Log;
  readonly #services: Map<string, readonly KnownService[]>;
  readonly #numbers = new Map<string, number>();

  private constructor(file: DurableFile, log: Log, stored: z.infer<typeof Stored>) {
    this.#file = file;
    this.#log = log;
    this.#services = new Map(
      stored.multiplexes.map(({ services, ...place }) => [keyOf(place), services.map(knownOf)]),
    );
  }

  /** An unreadable file is ignored: its multiplexes are scanned again. */
  static async open(folder: string, log: Log): Promise<Scanned> {
    const file = new DurableFile({ file: join(folder, "multiplexes.json"), keepsPrevious: false });
    const nothing = { multiplexes: [] };
    try {
      const stored = await file.read((text) => Stored.parse(JSON.parse(text)));
      return new Scanned(file, log, stored?.value ?? nothing);
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      log.error("the stored scans cannot be read; the multiplexes are scanned again", {
        text: error.message,
      });
      return new Scanned(file, log, nothing);
    }
  }

  /** The services found on a multiplex; none before its first scan. */
  at(place: Place): readonly KnownService[] {
    return this.#services.get(keyOf(place)) ?? [];
  }

  /**
   * A triplet that stands for a multiplex with unknown services; stable while the daemon runs.
   *
   * @returns `undefined` when all 65,536 are used
   */
  standIn(place: Place): Triplet | undefined {
    const key = keyOf(place);
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    if (number > 0xffff) return undefined;
    this.#numbers.set(key, number);
    return unknownMultiplex(number);
  }

  /** Replaces the stored services of a multiplex; they are on disk when it resolves. @returns whether they differ from before */
  async store(place: Place, found: readonly KnownService[]): Promise<boolean> {
    const key = keyOf(place);
    const services = found.map(knownOf).sort((a, b) => a.triplet.sid - b.triplet.sid);
    if (JSON.stringify(services) === JSON.stringify(this.at(place))) return false;
    this.#services.delete(key);
    this.#services.set(key, services);
    this.#forgetOldest();
    await this.#file.replace(this.#stored()).catch((error: unknown) => {
      this.#log.warn("the result of a scan cannot be stored", { text: String(error) });
    });
    return true;
  }

  #forgetOldest(): void {
    let count = [...this.#services.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [key, { length }] of this.#services) {
      if (count <= MODEL_LIMITS.knownServices) break;
      this.#services.delete(key);
      count -= length;
    }
  }

  #stored(): string {
    const multiplexes = [...this.#services].map(([key, services]) => ({
      ...placeOf(key),
      services: [...services],
    }));
    return JSON.stringify({ multiplexes } satisfies z.input<typeof Stored>);
  }
}

/** Tuner ids contain no blanks. */
function keyOf({ tunerId, place }: Place): string {
  return `${tunerId} ${place}`;
}

function placeOf(key: string): Place {
  const at = key.indexOf(" ");
  return { tunerId: key.slice(0, at), place: key.slice(at + 1) };
}

function knownOf({ triplet: { onid, tsid, sid }, name, lcn }: z.infer<typeof Service>): KnownService {
  return { triplet: { onid, tsid, sid }, name, ...(lcn === undefined ? {} : { lcn }) };
}
