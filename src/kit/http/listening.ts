import { lstatSync, rmSync } from "node:fs";
import { type AddressInfo, connect, type Server } from "node:net";
import { RecorderdError } from "../../model/errors.ts";
import { systemCode } from "../machine/system-code.ts";

/** A server that can be asked to listen. */
interface Listener {
  readonly server: Pick<Server, "address">;
  listen(at: { readonly host: string; readonly port: number } | { readonly path: string }): Promise<unknown>;
}

/** @throws RecorderdError ADDRESS_IN_USE */
export async function listen(
  app: Listener,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly port: number }> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const system = systemCode(error);
    if (!["EADDRINUSE", "EADDRNOTAVAIL", "EACCES", "ENOTFOUND", "EAI_AGAIN"].includes(system)) throw error;
    throw new RecorderdError(
      "ADDRESS_IN_USE",
      `Cannot listen on ${host} port ${port} (${system}): stop the program that listens there, or choose another address.`,
      { host, port, system },
      { cause: error },
    );
  }
  return { port: (app.server.address() as AddressInfo).port };
}

/** @throws RecorderdError ADDRESS_IN_USE */
export async function listenOnSocket(app: Listener, path: string): Promise<void> {
  if (await isListening(path)) {
    const text = `Another process listens on ${path}: stop it first, or use another socket.`;
    throw new RecorderdError("ADDRESS_IN_USE", text, { path });
  }
  const umask = process.umask(0o177);
  try {
    // A socket without a listener is a leftover. Other files are not ours.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true) rmSync(path);
    await app.listen({ path });
  } catch (error) {
    const system = systemCode(error);
    const text = `Cannot create the socket ${path} (${system}): check that its folder exists and is writable, and that no other file is in its place.`;
    throw new RecorderdError("ADDRESS_IN_USE", text, { path, system }, { cause: error });
  } finally {
    process.umask(umask);
  }
}

/** Whether a server accepts connections on the socket. */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
