import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { onAbort } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { type NodeAddress, provenRequest, UNPROVEN } from "../node-request.ts";
import { DIGEST_TRAILER, statePath } from "./file-service.ts";
import { type HeldFile, type HeldState, requestPath } from "./held-file.ts";

/** The files of another node. */
export interface FileSource {
  /**
   * @param bytes how many of the first bytes the digest covers
   * @returns `undefined` if the node has no such file
   * @throws RecorderdError STORAGE_OFFLINE if it does not answer; the signal's reason
   */
  state(file: HeldFile, bytes: number, signal: AbortSignal): Promise<HeldState | undefined>;
  /**
   * The bytes from `from` on; of a segment that grows, until its capture has ended.
   *
   * @returns `undefined` if the node has no such file
   * @throws RecorderdError STORAGE_OFFLINE if it does not answer, or breaks off; the signal's reason
   */
  read(file: HeldFile, from: number, signal: AbortSignal): Promise<HeldContent | undefined>;
}

export interface HeldContent {
  readonly portions: AsyncIterable<Buffer>;
  /** SHA-256 of these bytes by the node, in hexadecimal. Call it after the last portion. */
  sha256(): string;
}

const State = z.object({
  bytes: z.int().min(0),
  modifiedAt: z.number(),
  isGrowing: z.boolean(),
  sha256: z.string(),
});

/** @param address where the node takes requests now */
export function fileSource(address: () => NodeAddress, secret: string): FileSource {
  async function ask(path: string, signal: AbortSignal): Promise<IncomingMessage | undefined> {
    const to = address();
    const answer = await get(to, { path, secret }, signal);
    if (answer.statusCode === 200) return answer;
    answer.destroy();
    if (answer.statusCode === 404) return undefined;
    throw unreachable(to, `status ${answer.statusCode}`);
  }

  async function* portionsOf(answer: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
    try {
      for await (const portion of answer) yield portion as Buffer;
    } catch (error) {
      throw unreachable(address(), String(error));
    }
  }

  return {
    state: async (file, bytes, signal) => {
      const answer = await ask(statePath(requestPath(file), bytes), signal);
      if (answer === undefined) return undefined;
      const portions: Buffer[] = [];
      for await (const portion of portionsOf(answer)) portions.push(portion);
      return State.parse(JSON.parse(Buffer.concat(portions).toString()));
    },
    read: async (file, from, signal) => {
      const answer = await ask(`${requestPath(file)}?from=${from}`, signal);
      if (answer === undefined) return undefined;
      return { portions: portionsOf(answer), sha256: () => String(answer.trailers[DIGEST_TRAILER]) };
    },
  };
}

async function get(
  to: NodeAddress,
  { path, secret }: { readonly path: string; readonly secret: string },
  signal: AbortSignal,
): Promise<IncomingMessage> {
  try {
    const { request, isProven } = await provenRequest(to, { path, secret }, signal);
    const unfollow = onAbort(signal, () => void request.destroy());
    request.once("close", unfollow).end();
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    if (answer.statusCode === 200 && !isProven(answer)) {
      answer.destroy();
      throw unreachable(to, UNPROVEN);
    }
    return answer;
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof RecorderdError ? error : unreachable(to, String(error));
  }
}

function unreachable({ name }: NodeAddress, why: string): RecorderdError {
  const text = `Node ${name} of the fleet does not send a file (${why}): check that it runs.`;
  return new RecorderdError("STORAGE_OFFLINE", text, { node: name });
}
