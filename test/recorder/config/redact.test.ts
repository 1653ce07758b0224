import { describe, expect, it } from "vitest";
import { redact } from "../../../src/recorder/config/redact.ts";
import { fc } from "../../properties.ts";

describe("a redacted configuration", () => {
  it.each([
    ["http://user:pass@host:8080/live/user/pass/1.ts?key=1", "http://host:8080/…"],
    ["https://host", "https://host"],
    ["https://host/", "https://host/"],
    ["rtsp://host/?src=1", "rtsp://host/…"],
    ["udp://@239.255.0.1:5004", "udp://239.255.0.1:5004"],
    ["http://host?key=1", "http://host/…"],
    ["http://host#key", "http://host/…"],
    ["see http://a:b@c/d and http://e:f@g", "see http://c/… and http://g"],
    ["/srv/recordings", "/srv/recordings"],
    ["*/5 * * * *", "*/5 * * * *"],
  ])("R-39 shows %s as %s", (given, shown) => {
    expect(redact(given)).toBe(shown);
  });

  it("R-39 hides values under the name of a secret, and keeps the rest", () => {
    const given = { apiKey: "a", nested: [{ token: "b", n: 1, on: true, none: null }], PASSWORD: ["c"] };
    expect(redact(given)).toEqual({
      apiKey: "…",
      nested: [{ token: "…", n: 1, on: true, none: null }],
      PASSWORD: "…",
    });
  });

  it("R-39 hides values that themselves have the name of a secret", () => {
    expect(redact("a", "topic")).toBe("…");
    expect(redact("a", 0)).toBe("a");
  });

  it("R-39 shows only scheme, host and port of an address", () => {
    const word = fc.stringMatching(/^[a-z0-9%:._~-]{1,12}$/);
    const property = fc.property(word, word, word, (user, path, query) => {
      const shown = String(redact(`http://${user}:SECRET@host:81/${path}/SECRET?${query}=SECRET`));
      return shown === "http://host:81/…";
    });
    fc.assert(property);
  });
});
