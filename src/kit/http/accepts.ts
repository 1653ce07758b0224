import { createConnection } from "node:net";
import { SECOND } from "../../model/time.ts";
import { anyAbort, type Clock } from "../time/clock.ts";

const PATIENCE_MS = SECOND;

/** Whether a server accepts TCP connections at the address within a second. Sends nothing. */
export async function acceptsConnections(
  address: { readonly host: string; readonly port: number },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<boolean> {
  if (signal.aborted) return false;
  const socket = createConnection(address);
  const over = new AbortController();
  using either = anyAbort([signal, over.signal]);
  const patience = clock.sleep(PATIENCE_MS, either.signal).then(
    () => false,
    () => false,
  );
  const answer = new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
  try {
    return await Promise.race([answer, patience]);
  } finally {
    over.abort();
    socket.destroy();
  }
}
