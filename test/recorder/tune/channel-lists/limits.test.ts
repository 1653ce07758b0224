import { describe, expect, it } from "vitest";
import { MODEL_LIMITS } from "../../../../src/model/limits.ts";
import { parseM3u } from "../../../../src/recorder/tune/channel-lists/m3u.ts";

const LIMIT = MODEL_LIMITS.wireTextLength;
const ADDRESS = "http://127.0.0.1/1";
const list = (...lines: readonly string[]) => parseM3u(["#EXTM3U", ...lines].join("\n"));

describe("a channel list", () => {
  it.each([1, LIMIT, LIMIT + 1, 2 ** 20, 2 ** 24])(
    "has names of %i characters within the limit, and reports a cut",
    (length) => {
      const { services, mistakes } = list(`#EXTINF:-1,${"ä".repeat(length)}`, ADDRESS);
      expect(services).toMatchObject([{ url: ADDRESS }]);
      expect(services[0]?.name).toHaveLength(Math.min(length, LIMIT));
      expect(mistakes).toHaveLength(length > LIMIT ? 1 : 0);
    },
  );

  it("keeps the name behind a logo of a megabyte, and behind a megabyte of quotes", () => {
    for (const long of [`tvg-logo="data:image/png;base64,${"A".repeat(2 ** 20)}"`, '""'.repeat(2 ** 19)]) {
      const { services, mistakes } = list(`#EXTINF:-1 ${long} tvg-chno="7",Seven`, ADDRESS);
      expect(services).toMatchObject([{ name: "Seven", lcn: 7, url: ADDRESS }]);
      expect(mistakes).toEqual([]);
    }
  });

  it("has names without NUL and lone surrogates", () => {
    const { services } = list("#EXTINF:-1,a\0b\ud800c", ADDRESS);
    expect(services[0]?.name).toBe("ab\ufffdc");
  });

  it("refuses an address beyond the limit: a cut one would lead elsewhere", () => {
    const { services, mistakes } = list(
      "#EXTINF:-1,Long",
      `${ADDRESS}${"1".repeat(LIMIT)}`,
      "#EXTINF:-1,Short",
      ADDRESS,
    );
    expect(services).toEqual([
      expect.not.objectContaining({ url: expect.anything() }),
      expect.objectContaining({ url: ADDRESS }),
    ]);
    expect(mistakes).toEqual([{ line: 2, text: `an address of more than ${LIMIT} characters is ignored` }]);
  });
});
