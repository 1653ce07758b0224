import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { crc32 } from "node:zlib";
import { expect, it } from "vitest";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { SECOND } from "../../../src/model/time.ts";
import { discoverServers } from "../../../src/recorder/tune/discover.ts";

const GROUP = "239.255.255.250";

interface Answerer extends AsyncDisposable {
  readonly port: number;
  readonly asked: Buffer[];
}

/** Answers every question on loopback, as many datagrams as there are. */
async function answerer(
  answers: readonly Buffer[],
  { group, host = "127.0.0.1" }: { readonly group?: string; readonly host?: string } = {},
): Promise<Answerer> {
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  const asked: Buffer[] = [];
  socket.on("message", (message: Buffer, { port, address }: RemoteInfo) => {
    asked.push(message);
    for (const answer of answers) socket.send(answer, port, address);
  });
  socket.bind(0, group === undefined ? host : undefined);
  await once(socket, "listening");
  if (group !== undefined) socket.addMembership(group, "127.0.0.1");
  return {
    port: socket.address().port,
    asked,
    async [Symbol.asyncDispose]() {
      socket.close();
    },
  };
}

function hdhomerunReply(change: (packet: Buffer) => void = () => {}): Buffer {
  const base = Buffer.from("http://192.0.2.5:80", "latin1");
  const tags = Buffer.concat([
    Buffer.from([0x01, 4, 0, 0, 0, 1, 0x02, 4, 0x10, 0x4a, 0x1b, 0x2c, 0x10, 1, 3]),
    // A length of two bytes, as long texts have it.
    Buffer.from([0x2a, 0x80 | base.length, 0]),
    base,
  ]);
  const head = Buffer.from([0, 3, 0, tags.length]);
  const packet = Buffer.concat([head, tags, Buffer.alloc(4)]);
  packet.writeUInt32LE(crc32(packet.subarray(0, -4)), packet.length - 4);
  change(packet);
  return packet;
}

const satipReply = (location: string, st = "urn:ses-com:device:SatIPServer:1") =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=1800\r\nEXT:\r\nLOCATION: ${location}\r\nSERVER: Linux/1 UPnP/1.1 box/1\r\nST: ${st}\r\n\r\n`,
  );

it("SAT>IP servers answer to a multicast and HDHomeRuns to a datagram, and other devices are skipped", async () => {
  await using satip = await answerer(
    [
      satipReply("http://192.0.2.9:8080/desc.xml"),
      satipReply("http://192.0.2.77/tv.xml", "urn:schemas-upnp-org:device:MediaServer:1"),
      satipReply("file:///etc/passwd"),
      Buffer.from("NOTIFY * HTTP/1.1\r\n\r\n"),
    ],
    { group: GROUP },
  );
  await using hdhomerun = await answerer([
    hdhomerunReply(),
    hdhomerunReply((packet) => packet.writeUInt8(0xff, 10)),
    Buffer.from([0, 3, 0xff]),
  ]);
  const found = await discoverServers(
    {
      clock: systemClock(),
      forMs: 2 * SECOND,
      from: ["127.0.0.1"],
      targets: {
        satip: { address: GROUP, port: satip.port },
        hdhomerun: { address: "127.0.0.1", port: hdhomerun.port },
      },
    },
    new AbortController().signal,
  );
  expect(found).toEqual([
    { kind: "hdhomerun", address: "http://127.0.0.1", name: "104A1B2C", tuners: 3 },
    { kind: "satip", address: "http://127.0.0.1:8080/desc.xml", name: "Linux/1 UPnP/1.1 box/1" },
  ]);
  // The devices' own library sends this request to find any tuner.
  expect(hdhomerun.asked[0]?.toString("hex")).toBe("0002000c0104000000010204ffffffff4e507f35");
  expect(satip.asked[0]?.toString()).toContain("ST: urn:ses-com:device:SatIPServer:1\r\n");
});

it("a stranger's answers name no other host, break nothing, and do not push out an honest server", async () => {
  const flood = Array.from({ length: 200 }, (_, index) =>
    satipReply(`http://192.0.2.1:${1000 + index}/d.xml`),
  );
  await using stranger = await answerer(
    [
      satipReply("http://["),
      satipReply("http://user:word@router.example/"),
      satipReply("http://:80:80/"),
      ...flood,
    ],
    { host: "127.0.0.3" },
  );
  await using honest = await answerer([satipReply("http://127.0.0.9:8080/desc.xml")], { host: "127.0.0.9" });
  const search = (port: number, address: string) =>
    discoverServers(
      {
        clock: systemClock(),
        forMs: SECOND,
        from: ["127.0.0.1"],
        targets: { satip: { address, port }, hdhomerun: { address, port: 9 } },
      },
      new AbortController().signal,
    );
  const found = await search(stranger.port, "127.0.0.3");
  expect(found.map(({ address }) => new URL(address).host.split(":")[0])).toEqual(
    Array(found.length).fill("127.0.0.3"),
  );
  expect(found.length).toBeLessThan(20);
  expect(await search(honest.port, "127.0.0.9")).toMatchObject([
    { address: "http://127.0.0.9:8080/desc.xml" },
  ]);
});
