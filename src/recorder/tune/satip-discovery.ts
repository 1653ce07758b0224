import type { Discovery, DiscoveryTarget, ServerAnswer } from "./kind.ts";

/** SAT>IP servers answer SSDP with the address of their description. */
export const SATIP_DISCOVERY: Discovery = {
  target: { address: "239.255.255.250", port: 1900 },
  servers: "SAT>IP servers",
  question,
  read,
  fieldText: ({ address }) => new URL(address).hostname,
};

/** @see UPnP Device Architecture 1.1 §1.3.2, SAT>IP 1.2 §3.3 */
function question({ address, port }: DiscoveryTarget): Buffer {
  const lines = [
    "M-SEARCH * HTTP/1.1",
    `HOST: ${address}:${port}`,
    'MAN: "ssdp:discover"',
    "MX: 1",
    `ST: ${SATIP_SERVER}`,
    "",
    "",
  ];
  return Buffer.from(lines.join("\r\n"), "latin1");
}

const SATIP_SERVER = "urn:ses-com:device:SatIPServer:1";

function read(message: Buffer): ServerAnswer | undefined {
  const [status = "", ...lines] = message.toString("latin1").split(/\r?\n/);
  if (!/^HTTP\/1\.\d 200\b/.test(status)) return undefined;
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const address = headers.get("location") ?? "";
  if (headers.get("st") !== SATIP_SERVER || !/^http:\/\/\S{1,200}$/.test(address)) return undefined;
  return { address, name: headers.get("server") ?? "" };
}
