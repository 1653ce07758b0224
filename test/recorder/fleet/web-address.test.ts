import { hostname } from "node:os";
import { expect, it } from "vitest";
import { checkConfig } from "../../../src/recorder/config/write.ts";
import { webAddressOf } from "../../../src/recorder/fleet/web-address.ts";

const HERE = { certFile: "/etc/cert.pem", keyFile: "/etc/key.pem" };

it.each([
  ["there is no dashboard", undefined, {}, ""],
  ["it listens on loopback", {}, {}, ""],
  ["it listens on loopback, and has a name", { names: ["tv.example"] }, {}, "http://tv.example:8790"],
  ["it listens on an address", { host: "192.0.2.5", port: 80 }, {}, "http://192.0.2.5:80"],
  ["it listens with TLS on IPv6", { host: "2001:db8::5", tls: HERE }, {}, "https://[2001:db8::5]:8790"],
  ["it listens everywhere", { host: "0.0.0.0" }, { listen: { host: "192.0.2.7" } }, "http://192.0.2.7:8790"],
  ["it listens everywhere, and takes no orders", { host: "::" }, {}, `http://${hostname()}:8790`],
  ["any port will do", { host: "192.0.2.5", port: 0 }, {}, ""],
] as const)("the dashboard of a node is, if %s, at %s", (_case, web, more, expected) => {
  const config = checkConfig({
    guide: { url: "http://guide.example", regionId: 1 },
    recordings: { folder: "/srv/recordings" },
    tuners: [{ kind: "hdhomerun", id: "a", address: "http://192.0.2.9" }],
    fleet: { database: "postgres://recorderd@db.example/recorder", ...more },
    ...(web === undefined ? {} : { web }),
  });
  expect(webAddressOf(config)).toBe(expected);
});
