import type { Log } from "../../kit/log.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import { createAttemptNotes } from "../capture/attempt-notes.ts";
import { EngineSet } from "../capture/engine-set.ts";
import { segmentFile } from "../capture/files.ts";
import { CAPTURE_LIMITS } from "../capture/limits.ts";
import { localEngines } from "../capture/local-engines.ts";
import { prepareSegment, startFailure } from "../capture/segment.ts";
import { liveSecrets } from "../config/live-secrets.ts";
import type { Config } from "../config/schema.ts";
import { secretsPlace } from "../config/secrets.ts";
import { TunerPool } from "../engine/runtime/tuner-pool.ts";
import { NODE_LIMITS } from "../fleet/limits.ts";
import { offerOf, type TunerOffer } from "../fleet/offer.ts";
import type { NodePorts, PortEvents } from "../fleet/ports.ts";
import { openTuners } from "../tune/registry.ts";
import { shareIn } from "../tune/share.ts";
import { enginesOf } from "./captures.ts";
import { nodeFiles } from "./node-files.ts";

/**
 * The tuners and captures of a node that stands by, for its leader.
 *
 * @throws RecorderdError FILE_UNREADABLE or CHANNEL_LIST_UNKNOWN for a file named in the configuration
 */
export async function openNodePorts(
  config: Config,
  { onEnded, onOffers }: PortEvents,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<NodePorts> {
  const { folder } = config.data;
  const secrets = await liveSecrets(secretsPlace(folder), { clock, log });
  const credentials = (id: string) => secrets.current.tuners?.[id];
  const drivers = await openTuners(config.tuners, { clock, log, folder, credentials });
  const pool = new TunerPool(drivers);
  const shareOf = shareIn(config.tuners);
  let offered = { facts: pool.facts, offers: offersOf(pool.facts) };

  /** The database is shown them twice a second, and a tuner may receive hundreds of services. */
  function offers(): readonly TunerOffer[] {
    const { facts } = pool;
    if (offered.facts !== facts) offered = { facts, offers: offersOf(facts) };
    return offered.offers;
  }

  function offersOf(facts: readonly TunerFacts[]): readonly TunerOffer[] {
    return facts.map((each) => offerOf(each, shareOf(each.id)));
  }

  const local = localEngines({ ...enginesOf(config), clock, log, limits: CAPTURE_LIMITS }, (id) => {
    engines.forget(id);
    onEnded(id);
  });
  const engines = new EngineSet(local.all, (order) => local.engineFor(order));
  const notes = createAttemptNotes(config.recordings.folder, log);
  const closed = new AbortController();
  const { signal } = closed;

  async function keepLooking(): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(NODE_LIMITS.lookAgainMs, signal).catch(() => {});
      if (signal.aborted) return;
      await secrets.refresh();
      const before = pool.facts;
      await pool.lookAgain(log, signal);
      if (pool.facts !== before) onOffers();
    }
  }

  const loops = [pool.run({ clock, log, onMore: async () => onOffers() }, signal), keepLooking()];
  const files = nodeFiles(config, (id) => engines.isRunning(id));
  return {
    ...(files === undefined ? {} : { files }),
    driver: (id) => pool.drivers.get(id),
    offers,
    segmentFile: (id) => segmentFile(config.recordings.folder, id),
    start: async (order) => {
      await prepareSegment(order.file);
      try {
        await engines.start(order);
      } catch (error) {
        throw startFailure(order.file, error);
      }
    },
    end: (id, how) => engines.end(id, how),
    isRunning: (id) => engines.isRunning(id),
    running: () => engines.ids(),
    makeReady: () => local.makeReady(),
    keepNote: notes.keep,
    async [Symbol.asyncDispose]() {
      closed.abort();
      await Promise.all(loops);
      for (const driver of pool.drivers.values()) await driver[Symbol.asyncDispose]();
    },
  };
}
