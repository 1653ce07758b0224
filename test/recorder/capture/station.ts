import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Triplet } from "../../../src/model/service.ts";
import {
  ascii,
  counted,
  descriptor,
  join,
  PidWriter,
  pat,
  payload,
  pmt,
  section,
  sixteen,
  TICKS_PER_MS,
  unit,
} from "../../kit/ts-builder.ts";

const PMT_PID = 0x1000;
const VIDEO_PID = 0x100;
const PACKETS_PER_TICK = 40;
const TICK_MS = 20;

/** One service as broadcast: PAT, PMT, SDT and a picture of some 3 Mbit/s, 20 ms at a time. */
export class ServiceStream {
  readonly #service: Triplet;
  readonly #scrambled: boolean;
  readonly #pat = new PidWriter(0);
  readonly #pmt = new PidWriter(PMT_PID);
  readonly #sdt = new PidWriter(0x11);
  readonly #video = new PidWriter(VIDEO_PID);
  #ticks = 0;

  constructor(service: Triplet, { scrambled = false }: { readonly scrambled?: boolean } = {}) {
    this.#service = service;
    this.#scrambled = scrambled;
  }

  next(): Buffer {
    const { onid, tsid, sid } = this.#service;
    const named = descriptor(0x48, [1, ...counted([]), ...counted(ascii("Station"))]);
    const described = [...sixteen(sid), 0xfc, 0x80, named.length, ...named];
    const tables = [
      ...this.#pat.sections(pat(tsid, { programmes: [[sid, PMT_PID]] })),
      ...this.#pmt.sections(pmt({ sid, pcrPid: VIDEO_PID, streams: [{ type: 0x02, pid: VIDEO_PID }] })),
      ...this.#sdt.sections(
        section({ tableId: 0x42, extension: tsid, body: [...sixteen(onid), 0xff, ...described] }),
      ),
    ];
    const clock = this.#video.next({ pcr: this.#ticks * TICK_MS * TICKS_PER_MS });
    const picture = Array.from({ length: PACKETS_PER_TICK }, (_, index) =>
      this.#video.next({
        starts: index === 0,
        payload: (index === 0 ? unit : payload)(this.#ticks + index),
        scrambling: this.#scrambled ? 2 : 0,
      }),
    );
    this.#ticks += 1;
    return Buffer.from(join([...tables, clock, ...picture]));
  }
}

/** The answer of one path of the station; `live` sends one portion each 20 ms until it returns `undefined`, then calls `after`. */
export type Programme = (response: ServerResponse, air: Air) => void;

export interface Air {
  live(portion: () => Uint8Array | undefined, after?: () => void): void;
}

export interface Station extends AsyncDisposable {
  url(path: string): string;
  /** The bytes sent on a path, in all its streams. */
  sent(path: string): Buffer;
}

/**
 * An HTTP server on loopback that behaves, path by path, as well or as badly as a test wants.
 *
 * @param keeps what was sent, for `sent`
 */
export async function startStation(
  programmes: Readonly<Record<string, Programme>>,
  { keeps = true }: { readonly keeps?: boolean } = {},
): Promise<Station> {
  const sent = new Map<string, Buffer[]>();
  const timers = new Set<NodeJS.Timeout>();
  const server = createServer((request, response) => {
    const path = (request.url ?? "").replace(/^\/|\?.*$/g, "");
    const programme = programmes[path];
    const stop = (timer: NodeJS.Timeout) => {
      clearInterval(timer);
      timers.delete(timer);
    };
    const air: Air = {
      live(portion, after = () => {}) {
        response.writeHead(200, { "content-type": "video/mp2t" });
        response.flushHeaders();
        const timer = setInterval(() => {
          const bytes = portion();
          if (bytes !== undefined) {
            response.write(bytes);
            if (keeps) sent.set(path, [...(sent.get(path) ?? []), Buffer.from(bytes)]);
          } else {
            stop(timer);
            after();
          }
        }, TICK_MS);
        timers.add(timer);
        response.on("close", () => stop(timer));
      },
    };
    if (programme === undefined) response.writeHead(404).end();
    else programme(response, air);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${port}/${path}`,
    sent: (path) => Buffer.concat(sent.get(path) ?? []),
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer);
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The first `ticks` portions of a stream, then no more. */
export function portions(stream: ServiceStream, ticks: number): () => Uint8Array | undefined {
  let left = ticks;
  return () => {
    left -= 1;
    return left < 0 ? undefined : stream.next();
  };
}
