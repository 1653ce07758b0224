import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, type Socket as Connection, createServer } from "node:net";
import { multiplexKey, type Triplet } from "../../../../src/model/service.ts";
import { ELSEWHERE, type FakeServer, ONE, type Receivers, type Trouble } from "./air.ts";
import { sendRtp } from "./rtp.ts";

/** Frequencies in MHz, and the multiplex that is there. */
const ON_FREQUENCY: Readonly<Record<string, Triplet>> = { "226.5": ONE, "184.5": ELSEWHERE };
const SESSION_SECONDS = 30;

interface Session {
  readonly id: string;
  readonly stream: string;
  /** Absent where its frequency has none. */
  readonly multiplex: Triplet | undefined;
  readonly client: { readonly address: string; readonly port: number };
  /** Ends the session of a client that vanishes. */
  patience?: NodeJS.Timeout;
  /** Which it wants now. */
  pids: ReadonlySet<number> | "all";
  isPlaying: boolean;
  readonly hasTuner: boolean;
  end?: () => void;
}

interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The dialect for points on which servers differ: SAT>IP 1.2, or a real server's (`satip-NAME.json` has its answers). */
type Manner = "standard" | "minisatip" | "tvheadend";

/**
 * Speaks as a SAT>IP 1.2 server does: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN; RTP over UDP; 503 without a free tuner, 405 for a
 * frequency and 454 for a session that it does not know, 400 for what a client must not say; a description with the number of its tuners.
 * minisatip accepts every frequency and refuses PLAY with 404 where no tuner is free; it sends packets without payload while it has no lock.
 * Tvheadend says 200 without a free tuner and sends nothing, and calls an unknown session a bad request.
 *
 * @param multiplexAt address at which the multiplex of a service can be read
 */
export async function fakeSatip(
  receivers: Receivers,
  multiplexAt: (service: Triplet) => string,
  {
    trouble,
    tuners = 2,
    manner = "standard",
    host = "127.0.0.1",
  }: {
    readonly trouble?: Trouble;
    /** Its own address. */
    readonly host?: string;
    readonly tuners?: number;
    readonly manner?: Manner;
  } = {},
): Promise<FakeServer & { readonly description: string }> {
  const sessions = new Map<string, Session>();
  const requests: string[] = [];
  const connections = new Set<Connection>();
  let numbers = 0;

  function end(session: Session): void {
    clearTimeout(session.patience);
    session.end?.();
    sessions.delete(session.id);
  }

  /** Each request of a client keeps its session. */
  function keep(session: Session): void {
    clearTimeout(session.patience);
    session.patience = setTimeout(() => end(session), SESSION_SECONDS * 1000);
    session.patience.unref();
  }

  function answer(
    request: Request,
    from: string,
  ): readonly [status: string, headers: Record<string, string>, body?: string] {
    const session = sessions.get(request.headers["session"] ?? "");
    if (session !== undefined) keep(session);
    const isOurs = session !== undefined && /\/stream=(\d+)(\?|$)/.exec(request.url)?.[1] === session.stream;
    switch (request.method) {
      case "OPTIONS":
        return ["200 OK", { Public: "OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN" }];
      case "DESCRIBE":
        return describe();
      case "SETUP":
        return setUp(request, from);
      case "PLAY":
        if (!isOurs) return unknownSession();
        return play(session, new URL(request.url.replace(/^rtsp:/, "http:")).searchParams);
      case "TEARDOWN":
        if (!isOurs) return unknownSession();
        end(session);
        return ["200 OK", { Session: session.id }];
      default:
        return ["405 Method Not Allowed", {}];
    }
  }

  function unknownSession(): readonly [string, Record<string, string>] {
    return [manner === "tvheadend" ? "400 Bad Request" : "454 Session Not Found", {}];
  }

  /** All streams that there are (SAT>IP 1.2 §3.5.7): level of 255, lock, quality of 15. */
  function describe(): readonly [string, Record<string, string>, string?] {
    const used = receivers.uses();
    if (used.length === 0 && manner !== "tvheadend") return ["404 Not Found", {}];
    const streams = used.map(([use], at) => {
      const stream = at + 1;
      const isElsewhere = use !== undefined && multiplexKey(use.service) === multiplexKey(ELSEWHERE);
      const frequency = isElsewhere ? 184.5 : 226.5;
      return [
        "m=video 0 RTP/AVP 33",
        "c=IN IP4 0.0.0.0",
        `a=control:stream=${stream}`,
        `a=fmtp:33 ver=1.1;src=1;tuner=${stream},204,1,12,${frequency.toFixed(2)},7,dvbt,8k,64qam,116,34,,,0;pids=all`,
        "a=sendonly",
      ].join("\r\n");
    });
    const body = `v=0\r\no=- 1 1 IN IP4 ${host}\r\ns=SatIPServer:1 0,2,0\r\nt=0 0\r\n${streams.join("\r\n")}\r\n`;
    return ["200 OK", { "Content-Type": "application/sdp", "Content-Length": String(body.length) }, body];
  }

  function setUp({ url, headers }: Request, address: string): readonly [string, Record<string, string>] {
    const query = new URL(url.replace(/^rtsp:/, "http:")).searchParams;
    const clientPort = Number(
      /^RTP\/AVP(?:\/UDP)?;unicast;client_port=(\d+)-\d+/.exec(headers["transport"] ?? "")?.[1],
    );
    const multiplex = ON_FREQUENCY[query.get("freq") ?? ""];
    if (!/^(all|none|\d+(,\d+)*)$/.test(query.get("pids") ?? "") || query.get("msys") !== "dvbt")
      return ["400 Bad Request", {}];
    if (query.get("bw") !== "7" || query.get("mtype") !== "64qam") return ["400 Bad Request", {}];
    if (Number.isNaN(clientPort)) return ["461 Unsupported Transport", {}];
    if (trouble === "forbidden") return ["403 Forbidden", {}];
    if (multiplex === undefined && manner !== "minisatip") return ["405 Method Not Allowed", {}];
    const release = multiplex === undefined ? undefined : receivers.take(multiplex, url);
    if (release === undefined && manner === "standard")
      return ["503 Service Unavailable", { "No-More": "frontends" }];
    numbers += 1;
    const session: Session = {
      id: `0A${numbers}`,
      stream: String(numbers),
      multiplex,
      client: { address, port: clientPort },
      pids: wanted(query.get("pids")),
      isPlaying: false,
      hasTuner: release !== undefined,
      ...(release === undefined ? {} : { end: release }),
    };
    sessions.set(session.id, session);
    keep(session);
    const transport = `RTP/AVP;unicast;client_port=${clientPort}-${clientPort + 1};server_port=5000-5001;source=${host}`;
    return [
      "200 OK",
      {
        Session: `${session.id};timeout=${SESSION_SECONDS}`,
        "com.ses.streamID": session.stream,
        Transport: transport,
      },
    ];
  }

  /** A playing session is asked to play again where other PIDs are wanted (SAT>IP 1.2 §3.5.11). */
  function play(session: Session, query: URLSearchParams): readonly [string, Record<string, string>] {
    const [pids, more, fewer] = ["pids", "addpids", "delpids"].map((name) => query.get(name));
    if (pids !== null) session.pids = wanted(pids);
    if (session.pids !== "all") {
      const added = wanted(more);
      const removed = wanted(fewer);
      session.pids =
        added === "all"
          ? "all"
          : new Set([...session.pids, ...added].filter((pid) => removed !== "all" && !removed.has(pid)));
    }
    const isReceived = trouble !== "no lock" && session.hasTuner;
    if (manner === "minisatip" && session.multiplex !== undefined && !session.hasTuner)
      return ["404 Not Found", {}];
    if (!session.isPlaying && (isReceived || manner === "minisatip")) {
      session.isPlaying = true;
      const stopped = new AbortController();
      const release = session.end;
      session.end = () => {
        stopped.abort();
        release?.();
      };
      void sendRtp({
        ...(isReceived && session.multiplex && { from: multiplexAt(session.multiplex) }),
        at: session.client.address,
        to: session.client.port,
        wants: (pid) => session.pids === "all" || session.pids.has(pid),
        signal: stopped.signal,
      });
    }
    return ["200 OK", { Session: session.id, "RTP-Info": `url=rtsp://${host}/stream=${session.stream}` }];
  }

  const rtsp = createServer((connection) => {
    let text = "";
    /** A client that goes takes its sessions with it: what a server does by its timeout. */
    const mine = new Set<string>();
    connections.add(connection);
    connection.on("data", (chunk) => {
      text += String(chunk);
      for (let end = text.indexOf("\r\n\r\n"); end >= 0; end = text.indexOf("\r\n\r\n")) {
        const request = read(text.slice(0, end));
        text = text.slice(end + 4);
        requests.push(`${request.method} ${request.url}`);
        const [status, headers, body = ""] =
          request.headers["cseq"] === undefined
            ? (["400 Bad Request", {}] as const)
            : answer(request, connection.remoteAddress ?? host);
        const id = headers["Session"]?.split(";")[0];
        if (id !== undefined) mine.add(id);
        const lines = Object.entries({ CSeq: request.headers["cseq"] ?? "0", ...headers }).map(
          ([name, value]) => `${name}: ${value}\r\n`,
        );
        connection.write(`RTSP/1.0 ${status}\r\n${lines.join("")}\r\n${body}`);
      }
    });
    connection.on("error", () => {});
    connection.on("close", () => {
      connections.delete(connection);
      for (const session of sessions.values()) if (mine.has(session.id)) end(session);
    });
  }).listen(0, host);
  const description = createHttpServer((_request, response) => {
    const capabilities = `DVBT-${tuners - 1},DVBS2-1`;
    response.writeHead(200, { "content-type": "text/xml" });
    response.end(
      `<root><device><satip:X_SATIPCAP xmlns:satip="urn:ses-com:satip">${capabilities}</satip:X_SATIPCAP></device></root>`,
    );
  }).listen(0, host);
  await Promise.all([once(rtsp, "listening"), once(description, "listening")]);
  const { port } = rtsp.address() as AddressInfo;
  return {
    address: `http://${host}`,
    port,
    requests,
    description: `http://${host}:${(description.address() as AddressInfo).port}/desc.xml`,
    async [Symbol.asyncDispose]() {
      for (const session of sessions.values()) end(session);
      for (const connection of connections) connection.destroy();
      description.closeAllConnections();
      description.close();
      rtsp.close();
    },
  };
}

function wanted(pids: string | null | undefined): ReadonlySet<number> | "all" {
  if (pids === "all") return "all";
  return new Set((pids ?? "none") === "none" ? [] : pids?.split(",").map(Number));
}

function read(head: string): Request {
  const [first = "", ...lines] = head.split("\r\n");
  const [method = "", url = ""] = first.split(" ");
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(":")).toLowerCase(),
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  return { method, url, headers: Object.fromEntries(headers) };
}
