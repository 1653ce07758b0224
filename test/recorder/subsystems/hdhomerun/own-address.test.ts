import { expect, it } from "vitest";
import { isPrivate } from "../../../../src/recorder/subsystems/hdhomerun/own-address.ts";

it.each(["10.1.2.3", "127.0.0.1", "169.254.9.9", "172.31.0.1", "192.168.1.20"])(
  "a client at %s is of this house",
  (address) => {
    expect(isPrivate(address)).toBe(true);
  },
);

it.each(["8.8.8.8", "172.32.0.1", "100.64.0.1", "::1", "tv.lan", ""])(
  "a client at %j is a stranger: of another network, of the same provider, or without an IPv4 address",
  (address) => {
    expect(isPrivate(address)).toBe(false);
  },
);
