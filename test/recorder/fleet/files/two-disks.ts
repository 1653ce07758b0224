import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { silentLog } from "../../../../src/kit/log.ts";
import { selfSigned } from "../../../../src/kit/net/self-signed.ts";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import { logFile, segmentFile } from "../../../../src/recorder/capture/files.ts";
import { answerForFile } from "../../../../src/recorder/fleet/files/file-service.ts";
import { type FileSource, fileSource } from "../../../../src/recorder/fleet/files/file-source.ts";
import { fileAtPath } from "../../../../src/recorder/fleet/files/held-file.ts";
import { PROOF_HEADER, proofOf } from "../../../../src/recorder/fleet/proof.ts";
import { nodeFiles } from "../../../../src/recorder/wiring/node-files.ts";

export const ATTEMPT = "r1.1";
const SECRET = "s".repeat(24);

/** The disk of a node, the way to it, and the disk of the home. */
export interface TwoDisks extends AsyncDisposable {
  /** Paths of the segment of `ATTEMPT` on the node, and at home. */
  readonly there: string;
  readonly here: string;
  /** The folders of recordings. */
  readonly thereFolder: string;
  readonly hereFolder: string;
  readonly source: FileSource;
  /** Attempts whose captures run on the node. */
  readonly running: Set<string>;
  /** The paths of all requests so far. */
  readonly asked: string[];
  /** Ends each connection after so many bytes from the node. */
  breakAfter(bytes: number): void;
  drop(path: string): Promise<void>;
}

export async function twoDisks(): Promise<TwoDisks> {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-disks-"));
  const [thereFolder, hereFolder] = [join(folder, "attic"), join(folder, "cellar")];
  for (const each of [thereFolder, hereFolder]) await mkdir(join(each, ".recorderd"), { recursive: true });
  const running = new Set<string>();
  const config = { fleet: { home: "cellar", node: "attic" }, recordings: { folder: thereFolder } };
  const files = nodeFiles(config as Parameters<typeof nodeFiles>[0], async (id) => running.has(id));
  if (files === undefined) throw new Error("the nodes share no folder");
  const asked: string[] = [];
  const { key, certificate } = selfSigned("recorderd");
  const server = createServer({ key, cert: certificate }, (request, answer) => {
    asked.push(request.url ?? "");
    answer.setHeader(PROOF_HEADER, proofOf(request.socket as TLSSocket, SECRET, "node"));
    answerForFile(request, answer, { files, clock: systemClock() }).catch(() => answer.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const way = await fragileWay((server.address() as AddressInfo).port);
  const address = { node: "n", name: "attic", address: `127.0.0.1:${way.port}`, certificate };
  return {
    ...{ there: segmentFile(thereFolder, ATTEMPT), here: segmentFile(hereFolder, ATTEMPT) },
    ...{ thereFolder, hereFolder, running, asked },
    source: fileSource(() => address, SECRET),
    breakAfter: way.breakAfter,
    drop: async (path) => {
      const file = fileAtPath(path);
      if (file !== undefined) await files.drop(file);
    },
    [Symbol.asyncDispose]: async () => {
      way.close();
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** A way to a port of loopback that can break. */
async function fragileWay(to: number) {
  let bytesMax = Number.POSITIVE_INFINITY;
  const sockets = new Set<Socket>();
  const server = createTcpServer((near) => {
    const far = connect(to, "127.0.0.1");
    let bytes = 0;
    const end = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", end).on("close", end);
    }
    near.pipe(far);
    far.on("data", (portion) => {
      bytes += portion.length;
      if (bytes > bytesMax) return end();
      near.write(portion);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    breakAfter: (bytes: number) => {
      bytesMax = bytes;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Writes a segment with random content, and the log beside it. @returns the content */
export async function segmentWith(file: string, bytes: number): Promise<Buffer> {
  const content = randomBytes(bytes);
  await writeFile(file, content);
  await writeFile(logFile(file), "the log\n");
  return content;
}

export async function grow(file: string, bytes: number): Promise<Buffer> {
  const more = randomBytes(bytes);
  await appendFile(file, more);
  return more;
}

export const LOG = silentLog;
