import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openHttp } from "../../../src/recorder/capture/host/http-source.ts";
import { Shares } from "../../../src/recorder/capture/host/shares.ts";
import type { OpenSource, SourceEnd, SourceParts } from "../../../src/recorder/capture/host/source.ts";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A server that answers the nth request as the test says; gives its address and its requests. */
async function server(answer: (socket: Socket, request: string, nth: number) => void) {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const listening = createServer((socket) => {
    sockets.add(socket);
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (part) => {
      text += part.toString("latin1");
      if (!text.includes("\r\n\r\n")) return;
      requests.push(text);
      const request = text;
      text = "";
      answer(socket, request, requests.length);
    });
  }).listen(0, "127.0.0.1");
  await once(listening, "listening");
  open.push(() => {
    for (const socket of sockets) socket.destroy();
    listening.close();
  });
  return { at: `127.0.0.1:${(listening.address() as AddressInfo).port}`, requests };
}

/** The host's part of a source; it looks at the source as often as the real one does. */
function parts(): SourceParts {
  const nowMs = () => performance.now();
  const shares = new Shares();
  const looking = setInterval(() => shares.look(nowMs()), 20);
  open.push(() => clearInterval(looking));
  return { share: shares.join(), nowMs };
}

/** Reads an address to its end. */
function read(url: string, { headers = {}, steer = () => {} }: Steering = {}) {
  return new Promise<{ readonly body: Buffer; readonly end: SourceEnd }>((resolve) => {
    const pieces: Buffer[] = [];
    const source = openHttp(
      { url, headers },
      {
        bytes: (bytes, from, to) => {
          pieces.push(Buffer.from(bytes.subarray(from, to)));
          steer(source, pieces);
        },
        ended: (end) => resolve({ body: Buffer.concat(pieces), end }),
      },
      parts(),
    );
    const looking = setInterval(() => source.look(performance.now()), 20);
    open.push(() => {
      clearInterval(looking);
      source.close();
    });
  });
}

interface Steering {
  readonly headers?: Readonly<Record<string, string>>;
  readonly steer?: (source: OpenSource, parts: readonly Buffer[]) => void;
}

/** Sends `text` so many characters at a time, then ends the connection. */
function inPieces(socket: Socket, text: string, length: number): void {
  socket.setNoDelay(true);
  const pieces = text.match(new RegExp(`[^]{1,${length}}`, "g")) ?? [];
  const next = () => {
    const piece = pieces.shift();
    if (piece === undefined) socket.end();
    else socket.write(piece, "latin1", () => setImmediate(next));
  };
  next();
}

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const BODY = "Gruß\x00\xff\r\n0\r\n\r\nthe end";

describe.each([1, 3, 1000])("an answer in pieces of %d bytes", (length) => {
  it.each([
    ["to the end of the connection", `${OK}\r\n${BODY}`, BODY],
    ["of HTTP/1.0", `HTTP/1.0 200 OK\r\nContent-Type: video/mpeg\r\n\r\n${BODY}`, BODY],
    ["of a hand-made server", `http/1.1 200\r\nContent-Length : 5\r\n\r\n${BODY}`, BODY.slice(0, 5)],
    ["of a radio streaming server", `ICY 200 OK\r\nicy-name: x\r\n\r\n${BODY}`, BODY],
    ["with bare line ends", `HTTP/1.1 200 OK\nServer: old\n\n${BODY}`, BODY],
    ["after a preliminary one", `HTTP/1.1 100 Continue\r\n\r\n${OK}\r\n${BODY}`, BODY],
    ["with a length, and data after it", `${OK}Content-Length: 5\r\n\r\n${BODY}`, BODY.slice(0, 5)],
    ["with no body", `${OK}Content-Length: 0\r\n\r\n`, ""],
    [
      "in chunks, with extensions and a trailer",
      `${CHUNKED}5;a=b\r\nGruß\x00\r\n00B\r\n\xff\r\n0\r\n\r\nthe\r\n4\r\n end\r\n0\r\nX: y\r\n\r\n`,
      BODY,
    ],
  ])("is read %s", async (_what, text, expected) => {
    const { at } = await server((socket) => inPieces(socket, text, length));
    const { body, end } = await read(`http://${at}/`);
    expect(body.toString("latin1")).toBe(expected);
    expect(end).toEqual({ words: "" });
  });
});

it("a source over HTTPS is read whole, whatever its certificate", async () => {
  const file = (end: string) => readFile(`test/fixtures/guide/self-signed.${end}`);
  const whole = Buffer.alloc(3 * 1024 * 1024, "what is to be copied, byte by byte; ");
  const server = createTlsServer({ key: await file("key"), cert: await file("crt") }, (_, response) => {
    response.end(whole);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { body, end } = await read(`https://127.0.0.1:${port}/`, {
    steer: (source, parts) => {
      if (parts.length % 20 !== 0) return;
      source.pause();
      setImmediate(() => source.resume());
    },
  });
  expect(end).toEqual({ words: "" });
  expect(body.equals(whole)).toBe(true);
});

describe("a source over HTTP", () => {
  it("is requested by path and query, with the driver's headers and without secrets of the address", async () => {
    const { at, requests } = await server((socket) => socket.end(`${OK}\r\n`));
    await read(`http://anna:open@${at}/a%20b?c=d`, { headers: { "X-Priority": "1\r\nX-Evil: 2" } });
    expect(requests).toEqual([
      expect.stringMatching(/^GET \/a%20b\?c=d HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n/),
    ]);
    expect(requests[0]).toContain("\r\nX-Priority: 1  X-Evil: 2\r\n");
    expect(requests[0]).not.toMatch(/anna|Authorization/);
  });

  it.each([
    ["Basic", ['Basic realm="tv"'], /\r\nAuthorization: Basic YW5uYTpvcGVu\r\n/],
    [
      "Digest, where both are offered",
      ['Basic realm="tv"', 'Digest realm="tv", nonce="n", qop="auth"'],
      /\r\nAuthorization: Digest username="anna", realm="tv", nonce="n", uri="\/s", response="[0-9a-f]{32}"/,
    ],
  ])("answers a challenge by %s", async (_what, challenges, expected) => {
    const fields = challenges.map((each) => `WWW-Authenticate: ${each}\r\n`).join("");
    const { at, requests } = await server((socket, _request, nth) =>
      socket.end(nth === 1 ? `HTTP/1.1 401 No\r\n${fields}\r\n` : `${OK}\r\nhere`),
    );
    const { body } = await read(`http://anna:open@${at}/s`);
    expect(body.toString()).toBe("here");
    expect(requests).toEqual([expect.not.stringContaining("Authorization"), expect.stringMatching(expected)]);
  });

  it("accepts a literal percent sign in a password", async () => {
    const { at, requests } = await server((socket, _request, nth) =>
      socket.end(nth === 1 ? 'HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm="tv"\r\n\r\n' : `${OK}\r\n`),
    );
    await read(`http://anna:100%25%@${at}/s`);
    expect(requests[1]).toContain(`\r\nAuthorization: Basic ${btoa("anna:100%%")}\r\n`);
  });

  it("is refused once if user and password are wrong", async () => {
    const { at, requests } = await server((socket) =>
      socket.end('HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm="tv"\r\n\r\n'),
    );
    const { end } = await read(`http://anna:open@${at}/s?token=sesame`);
    expect(end).toEqual({ complaint: "TUNER_CREDENTIALS_WRONG", words: `${at} answered 401` });
    expect(requests).toHaveLength(2);
  });

  it("follows redirects, and sends password and headers, except those about the program, only to the original server", async () => {
    const elsewhere = await server((socket) => socket.end(`${OK}\r\nhere`));
    const { at, requests } = await server((socket, _request, nth) =>
      socket.end(
        `HTTP/1.1 302 Found\r\nLocation: ${nth === 1 ? "/b" : `http://${elsewhere.at}/c`}\r\nContent-Length: 4\r\n\r\nmove`,
      ),
    );
    const headers = { "X-Own": "1", "User-Agent": "VLC/3.0" };
    const { body } = await read(`http://anna:open@${at}/a`, { headers });
    expect(body.toString()).toBe("here");
    expect(requests.map((each) => each.split(" ")[1])).toEqual(["/a", "/b"]);
    expect(requests[1]).toContain("X-Own: 1");
    expect(elsewhere.requests[0]).not.toMatch(/X-Own|Authorization/);
    expect(elsewhere.requests[0]).toContain("User-Agent: VLC/3.0\r\n");
  });

  it("follows no redirect from the network to this machine's link, such as the metadata of a cloud", async () => {
    const { at, requests } = await server((socket) =>
      socket.end("HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest/meta-data/\r\n\r\n"),
    );
    const { end } = await read(`http://${at}/a`);
    expect(end).toMatchObject({
      complaint: "TUNER_UNREACHABLE",
      words: expect.stringContaining("redirected to an address of this machine or its network"),
    });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ["with a redirect loop", "HTTP/1.1 302 Found\r\nLocation: /a\r\n\r\n", "TUNER_UNREACHABLE"],
    [
      "with a redirect to a file",
      "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n",
      "TUNER_UNREACHABLE",
    ],
    ["with another protocol", "SSH-2.0-x\r\n\r\n", "TUNER_UNREACHABLE"],
    ["with an endless header", `HTTP/1.1 200 OK\r\nX: ${"y".repeat(70_000)}`, "STREAM_EXCESSIVE"],
    ["with too many fields", `${OK}${"X: y\r\n".repeat(201)}\r\n`, "STREAM_EXCESSIVE"],
    ["with many preliminary answers", "HTTP/1.1 100 Continue\r\n\r\n".repeat(21), "STREAM_EXCESSIVE"],
    [
      "with long preliminary answers",
      `HTTP/1.1 103 Early\r\nX: ${"y".repeat(9000)}\r\n\r\n`.repeat(9),
      "STREAM_EXCESSIVE",
    ],
    ["with too many customers", "HTTP/1.1 429 Wait\r\n\r\n", "TUNER_IN_USE"],
    ["with a missing page", "HTTP/1.1 404 No\r\n\r\n", "TUNER_SERVICE_UNKNOWN"],
    ["with a removed page", "HTTP/1.1 410 Gone\r\n\r\n", "TUNER_SERVICE_UNKNOWN"],
    ["with trouble of its own, which can be reached,", "HTTP/1.1 500 No\r\n\r\n", "STREAM_NO_DATA"],
    ["that closes without an answer", "", undefined],
  ])("%s ends with the reason", async (_what, text, complaint) => {
    const { at } = await server((socket) => socket.end(text));
    const { end } = await read(`http://${at}/a`);
    expect(end.complaint).toBe(complaint);
    expect(end.words).not.toBe("");
  });

  it("has fifteen seconds for its header", async () => {
    const { at } = await server((socket) => socket.write(`${OK}X-Slow: `));
    const ends: SourceEnd[] = [];
    const feed = { bytes: () => {}, ended: (end: SourceEnd) => void ends.push(end) };
    const source = openHttp({ url: `http://${at}/` }, feed, parts());
    open.push(() => source.close());
    source.look(1000);
    source.look(15_999);
    expect(ends).toEqual([]);
    source.look(16_000);
    expect(ends).toEqual([
      { complaint: "TUNER_UNREACHABLE", words: `${at} sent no complete answer within 15 s` },
    ]);
  });

  it("is abandoned if it sends endless preliminary answers", async () => {
    const { at } = await server((socket) => {
      const go = () => {
        if (!socket.destroyed)
          socket.write("HTTP/1.1 100 Continue\r\n\r\n".repeat(2500), () => setImmediate(go));
      };
      go();
    });
    expect((await read(`http://${at}/`)).end).toEqual({
      complaint: "STREAM_EXCESSIVE",
      words: `${at} sent more than 20 preliminary answers`,
    });
  });

  it.each(["\r\n0", "xyz", "", "5 5", "-5", "0x5", "1234567890abc", `5;${"a".repeat(1024)}`])(
    "ends with the reason if its chunks are invalid (%s)",
    async (line) => {
      const { at } = await server((socket) => socket.end(`${CHUNKED}${line}\r\nGruß\x00\r\n`));
      const { end } = await read(`http://${at}/a`);
      expect(end.words).toBe("the answer is not chunked as declared");
    },
  );

  it("loses nothing if its reader pauses", async () => {
    const whole = Buffer.alloc(24 * 1024 * 1024, "what is to be copied, byte by byte; ");
    const { at } = await server((socket) => {
      socket.write(`${OK}\r\n`);
      socket.end(whole);
    });
    let halts = 0;
    const { body } = await read(`http://${at}/`, {
      steer: (source, parts) => {
        if (parts.length % 20 !== 0) return;
        halts += 1;
        source.pause();
        const seen = parts.length;
        setImmediate(() => {
          expect(parts.length).toBe(seen);
          source.resume();
        });
      },
    });
    expect(halts).toBeGreaterThan(3);
    expect(body.equals(whole)).toBe(true);
  });
});
