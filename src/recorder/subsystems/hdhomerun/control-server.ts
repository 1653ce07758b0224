import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { limitConnections } from "../../../kit/http/connection-limit.ts";
import { systemCode } from "../../../kit/machine/system-code.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { ControlState } from "./control-state.ts";
import { controlReply, parseControl } from "./core/control.ts";
import type { LineupChannel } from "./core/lineup.ts";
import { PROTOCOL_PORT, packetLength } from "./core/packet.ts";
import type { EmulatedTuners } from "./emulated-tuners.ts";
import { HDHOMERUN_LIMITS } from "./limits.ts";
import { isPrivate } from "./own-address.ts";

interface Parts {
  readonly host: string;
  readonly tuners: EmulatedTuners;
  readonly lineup: () => readonly LineupChannel[];
  readonly clock: Clock;
}

/**
 * Serves the variables of the device to libhdhomerun. A connection that sends anything else is closed. A stream that a client
 * starts here ends with its connection.
 *
 * @throws RecorderdError ADDRESS_IN_USE
 */
export async function openControl({ host, ...parts }: Parts): Promise<AsyncDisposable> {
  const state = new ControlState(parts);
  const sockets = new Set<Socket>();
  const server = createServer();
  // Its listener comes first: it closes the connections beyond the limits.
  limitConnections(server, {
    max: HDHOMERUN_LIMITS.controlConnections,
    maxPerAddress: HDHOMERUN_LIMITS.controlConnectionsOfAddress,
    isProxy: () => false,
  });
  server.on("connection", (socket) => {
    const { remoteAddress: peer } = socket;
    if (socket.destroyed || peer === undefined || !isPrivate(peer)) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    const idle = closeWhenIdle(socket, { clock: parts.clock, isUsed: () => state.hasStream(socket) });
    socket.once("close", () => {
      sockets.delete(socket);
      idle.end();
      state.leave(socket);
    });
    // A broken connection also closes.
    socket.on("error", () => {});
    socket.setKeepAlive(true);
    serve(socket, { peer, state, onRequest: idle.restart }).catch(() => socket.destroy());
  });
  try {
    server.listen({ host, port: PROTOCOL_PORT });
    await once(server, "listening");
  } catch (error) {
    const system = systemCode(error);
    const text = `Cannot listen on ${host} TCP port ${PROTOCOL_PORT} (${system}): stop the program that listens there, or choose another address.`;
    throw new RecorderdError("ADDRESS_IN_USE", text, { host, port: PROTOCOL_PORT, system }, { cause: error });
  }
  return {
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Answers the requests of a connection, one after the other. */
async function serve(
  socket: Socket,
  {
    peer,
    state,
    onRequest,
  }: { readonly peer: string; readonly state: ControlState; readonly onRequest: () => void },
): Promise<void> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    for (let length = packetLength(bytes); length !== undefined; length = packetLength(bytes)) {
      if (length > bytes.length && Number.isFinite(length)) break;
      const request = parseControl(bytes.subarray(0, length));
      if (request === undefined) {
        socket.destroy();
        return;
      }
      bytes = bytes.subarray(length);
      onRequest();
      const reply = controlReply(request.name, await state.answer(request, { peer, owner: socket }));
      // A client that reads no answers gets no further ones.
      await new Promise<void>((resolve) => socket.write(reply, () => resolve()));
    }
  }
}

/** Destroys a socket that nobody has used for a while. */
function closeWhenIdle(
  socket: Socket,
  { clock, isUsed }: { readonly clock: Clock; readonly isUsed: () => boolean },
): { restart(): void; end(): void } {
  const start = () =>
    clock.after(HDHOMERUN_LIMITS.controlIdleMs, () => {
      if (isUsed()) callOff = start();
      else socket.destroy();
    });
  let callOff = start();
  return {
    restart: () => {
      callOff();
      callOff = start();
    },
    end: () => callOff(),
  };
}
