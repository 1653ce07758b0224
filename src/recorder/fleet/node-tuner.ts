import { onAbort } from "../../kit/time/clock.ts";
import type { Source, TunerDriver, TunerSession } from "../../model/ports.ts";
import type { Triplet } from "../../model/service.ts";
import type { Reception } from "../../model/tuner.ts";
import type { NodeLink } from "./node-link.ts";
import { errorOf, type NodeFailure } from "./node-protocol.ts";
import { factsOf, type TunerOffer } from "./offer.ts";

/** Sources of other nodes: `node:NODE/SESSION`. Only captures on that node read them. */
const SCHEME = "node:";

function sourceAt(node: string, session: number): Pick<Source, "url"> {
  return { url: `${SCHEME}${node}/${session}` };
}

/** @returns `undefined` for a source of this machine */
export function placeOf({
  url,
}: Pick<Source, "url">): { readonly node: string; readonly session: number } | undefined {
  if (!url.startsWith(SCHEME)) return undefined;
  const [node = "", session] = url.slice(SCHEME.length).split("/");
  return { node, session: Number(session) };
}

/** A tuner of another node. */
export function nodeTuner(link: NodeLink, offer: TunerOffer): TunerDriver {
  const { id: tunerId } = offer;
  const facts = factsOf(offer, tunerId);
  return {
    facts,
    async open(service: Triplet, signal: AbortSignal): Promise<TunerSession> {
      await withoutStrays(link, signal);
      const session = link.nextNumber();
      const close = () => link.tell({ type: "close", session });
      try {
        const answer = await link.ask({ type: "open", session, tunerId, service }, signal);
        const { programme } = answer as Pick<Source, "programme">;
        return {
          source: { ...sourceAt(link.to.node, session), programme },
          explain: async (asking) => {
            const said = (await link.ask({ type: "explain", session }, asking)) as NodeFailure | undefined;
            return said === undefined ? undefined : errorOf(said);
          },
          [Symbol.asyncDispose]: async () => close(),
        };
      } catch (error) {
        close();
        throw error;
      }
    },
    reception: async (service: Triplet, signal: AbortSignal) =>
      (await link.ask({ type: "reception", tunerId, service }, signal)) as Reception | undefined,
    async [Symbol.asyncDispose]() {},
  };
}

/** Waits until no stray capture holds the tuner for another multiplex. @throws the signal's reason */
async function withoutStrays(link: NodeLink, signal: AbortSignal): Promise<void> {
  let unfollow = () => {};
  const aborted = new Promise<void>((resolve) => {
    unfollow = onAbort(signal, resolve);
  });
  await Promise.race([link.strayless(), aborted]);
  unfollow();
  signal.throwIfAborted();
}
