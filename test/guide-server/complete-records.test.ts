import { describe, expect, it } from "vitest";
import { completeChannel, completeRegion } from "../../src/guide-server/domain/complete-records.ts";
import { countryOfCode } from "../../src/guide-server/domain/countries.ts";

const region = (timezone?: string) =>
  completeRegion({ id: 1, name: "Home", ...(timezone === undefined ? {} : { timezone }) });

describe("a region with only a time zone", () => {
  it.each([
    ["Europe/Berlin", "Berlin", "Germany", "DEU"],
    ["Australia/Sydney", "Sydney", "Australia", "AUS"],
    ["Asia/Kolkata", "Kolkata", "India", "IND"],
    ["America/Argentina/Buenos_Aires", "Buenos Aires", "Argentina", "ARG"],
    ["America/Port-au-Prince", "Port-au-Prince", "Haiti", "HTI"],
  ])("in %s has the city and country of the zone", (zone, city, country, code) => {
    expect(region(zone)).toEqual({
      ...{ id: 1, name: "Home", timezone: zone, city, state: city, country },
      country_code_3: code,
    });
  });

  it.each([undefined, "UTC", "Etc/GMT+3", "AWST-8", "no zone"])(
    "in %s has its own name as city, and an unknown country",
    (zone) => {
      const { city, state, country, country_code_3, timezone } = region(zone);
      expect([city, state, country, country_code_3]).toEqual(["Home", "Home", "Unknown", "ZZZ"]);
      expect(timezone).toBe(zone ?? "UTC");
    },
  );
});

describe("a region with more fields", () => {
  it("keeps all of them", () => {
    const known = {
      ...{ id: 1, name: "Home", city: "Trier", state: "RP", country: "Deutschland" },
      ...{ country_code_3: "DEU", timezone: "Europe/Luxembourg" },
    };
    expect(completeRegion(known)).toEqual(known);
  });
});

describe("a country", () => {
  it("accepts its codes in any case", () => {
    expect(countryOfCode("nz")).toEqual({ code3: "NZL", name: "New Zealand" });
    expect(countryOfCode("NZL")).toEqual({ code3: "NZL", name: "New Zealand" });
    expect(["", "ZZ", "A", "D DEU"].map(countryOfCode)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe("a channel with only a name", () => {
  it("has every field of the specification, and its network from the triplet", () => {
    const regions = new Map([["1", { id: 1, name: "Home" }]]);
    const triplet = { original_network_id: 0x1010, transport_stream_id: 2, service_id: 3 };
    const rest = { name_short: "One", is_hd: 0, lcns: "", network_name: "", is_hidden: 0 };
    const place = { region_id: 1, region_name: "Home" };
    expect(completeChannel({ regions }, { id: 5, name: "One" })).toEqual({
      ...{ id: 5, name: "One", network_id: 0, ...rest, ...place },
    });
    const received = completeChannel({ regions }, { id: 5, name: "One", dvb: [triplet] });
    expect(received.network_id).toBe(0x1010);
  });

  it("has the icon that an earlier version stored only if it is of the web", () => {
    const iconOf = (icon_src: string) =>
      completeChannel({ regions: new Map() }, { id: 5, name: "One", icon_src }).icon_src;
    expect(["https://a.example/b.png", "javascript:alert(1)", "file:///b.png", ""].map(iconOf)).toEqual([
      "https://a.example/b.png",
      ...[undefined, undefined, undefined],
    ]);
  });
});
