import type { Log } from "../../kit/log.ts";
import type { GuideAccount } from "../../model/ports.ts";
import { type Reach, reachOf } from "../../model/reach.ts";
import type { DaemonDocument } from "../engine/core/document.ts";
import type { EngineRuntime } from "../engine/runtime/engine-runtime.ts";
import { type Arrange, TunerPool } from "../engine/runtime/tuner-pool.ts";
import type { Idle } from "../subsystems/gather/open.ts";
import { ChannelDesk } from "../sync/channel-desk.ts";
import { openTuners } from "../tune/registry.ts";
import { shareIn } from "../tune/share.ts";
import type { DaemonBase, OtherNodes } from "./base.ts";
import type { GuideAccess } from "./guide-access.ts";

interface Stored {
  readonly store: { readonly current: DaemonDocument };
}

/** The configured tuners, and the services of the guide's channels on them. */
export interface TunerAccess {
  readonly pool: TunerPool;
  readonly channels: ChannelDesk;
  /** The guide account, with the services of its channels. */
  readonly account: GuideAccount;
  readonly reach: () => readonly Reach[];
}

/** @throws RecorderdError CONFIG_INVALID or FILE_UNREADABLE */
export async function openTunerAccess(
  { config, folder, disposeLater, clock, log }: DaemonBase,
  {
    account,
    secrets,
    store,
    nodes,
  }: Pick<GuideAccess, "account" | "secrets"> & Stored & { readonly nodes: OtherNodes | undefined },
): Promise<TunerAccess> {
  const credentials = (id: string) => secrets.current.tuners?.[id];
  const drivers = await openTuners(config.tuners, { clock, log, folder, credentials });
  const pool = new TunerPool(drivers.map(disposeLater), nodes && arrangedBy(nodes, shareIn(config.tuners)));
  const channels = disposeLater(
    await ChannelDesk.open({
      folder,
      tuners: () => pool.facts,
      held: () => Object.values(store.current.channels),
      log,
    }),
  );
  return {
    pool,
    channels,
    // When the guide may have new channels, tuners may receive new services.
    account: channels.withServices({
      ...account,
      channels: async (signal) => {
        const [found] = await Promise.all([account.channels(signal), pool.lookAgain(log, signal)]);
        return found;
      },
    }),
    reach: () => reachOf(channels.matched(), pool.facts, channels.services()),
  };
}

function arrangedBy(nodes: OtherNodes, shareOf: ReturnType<typeof shareIn>): Arrange {
  return (own) => nodes.arrange(own, shareOf);
}

/** The services that gathering listens for on idle tuners, and the use of the results. */
export function idleOf({
  pool,
  channels,
  store,
  runtime,
  log,
}: Pick<TunerAccess, "pool" | "channels"> &
  Stored & { readonly runtime: EngineRuntime; readonly log: Log }): Idle {
  /** Candidates for channels without a service. */
  const inDoubt = () => [
    ...pool.facts.flatMap(({ unknown = [] }) => unknown),
    ...channels.services().map(({ triplet }) => triplet),
  ];
  return {
    desk: runtime.desk,
    services: () => [
      ...Object.values(store.current.channels).flatMap(({ triplets }) => triplets),
      ...(channels.isInDoubt() ? inDoubt() : []),
    ],
    tuners: () => pool.facts.filter(({ isElsewhere }) => isElsewhere !== true),
    isInDoubt: () => channels.isInDoubt(),
    onHeard: async ({ asked, tunerId, named, here }) => {
      const isFound = await pool.learn(tunerId, { heard: asked, services: here });
      if (!channels.learn(named) && !isFound) return;
      runtime
        .servicesKnown()
        .catch((error: unknown) =>
          log.debug("newly found services could not be used yet", { text: String(error) }),
        );
    },
  };
}
