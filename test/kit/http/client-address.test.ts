import { expect, it } from "vitest";
import { clientAddress, householdOf, trustedProxies } from "../../../src/kit/http/client-address.ts";

const NOBODY = trustedProxies([]);
const PROXIES = trustedProxies(["127.0.0.1", "10.1.0.0/16", "2001:db8:1::/48"]);

it.each([
  ["a proxy that was not named", "10.2.0.1", "192.0.2.7", "10.2.0.1"],
  ["no header", "127.0.0.1", "", "127.0.0.1"],
  ["the client of one proxy", "127.0.0.1", "192.0.2.7", "192.0.2.7"],
  ["a proxy of a dual-stack listener", "::ffff:127.0.0.1", "192.0.2.7", "192.0.2.7"],
  ["a client that forges a header", "127.0.0.1", "127.0.0.1, 198.51.100.9,192.0.2.7", "192.0.2.7"],
  ["the client of two proxies", "127.0.0.1", "198.51.100.9, 192.0.2.7, 10.1.2.3", "192.0.2.7"],
  ["a proxy that asks for itself", "127.0.0.1", "10.1.2.3", "10.1.2.3"],
  ["an IPv6 proxy and client", "2001:db8:1::5", "2001:db8:2::7", "2001:db8:2::7"],
  ["a mapped client", "127.0.0.1", "::ffff:192.0.2.7", "192.0.2.7"],
  ["a port", "127.0.0.1", "192.0.2.7:51234", "192.0.2.7"],
  ["an IPv6 address with a port", "127.0.0.1", "[2001:db8:2::7]:51234", "2001:db8:2::7"],
  ["an unknown client", "127.0.0.1", "192.0.2.7, unknown", "127.0.0.1"],
  ["an empty item", "127.0.0.1", "192.0.2.7, ", "127.0.0.1"],
  ["text of any length", "127.0.0.1", `192.0.2.7, ${"1".repeat(9000)}`, "127.0.0.1"],
  ["no address at all", "", "192.0.2.7", ""],
])("the client of %s", (_case, peer, forwarded, client) => {
  expect(clientAddress(peer, forwarded, PROXIES)).toBe(client);
});

it("believes nobody unless proxies are named", () => {
  for (const peer of ["127.0.0.1", "::1", "10.1.0.1"])
    expect(clientAddress(peer, "192.0.2.7", NOBODY)).toBe(peer);
});

it.each(["", "proxy.example", "10.0.0.0/33", "10.0.0.0/0", "::/0", "10.0.0", "fe80::1%eth0", "10.0.0.1/x"])(
  "takes %s for no proxy",
  (text) => {
    expect(() => trustedProxies([text])).toThrow("is not an address such as 192.0.2.1");
  },
);

it("counts a network of an IPv6 household as one", () => {
  expect(householdOf("2001:db8:2::7")).toBe(householdOf("2001:DB8:2:0:ffff::9"));
  expect(householdOf("2001:db8:2:1::7")).not.toBe(householdOf("2001:db8:2::7"));
  expect(householdOf("::ffff:192.0.2.7")).toBe("192.0.2.7");
});
