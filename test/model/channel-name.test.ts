import { expect, it } from "vitest";
import { looseNameKey } from "../../src/model/channel-name.ts";

it("a name without its quality is found in time that grows with its length", () => {
  expect(looseNameKey("ZDF - HD")).toBe("ZDF");
  expect(looseNameKey("Das Erste (UHD)")).toBe("DASERSTE");
  expect(looseNameKey(`a${"-".repeat(2_000_000)}b`)).toBe("AB");
});
