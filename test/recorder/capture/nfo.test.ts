import { describe, expect, it } from "vitest";
import type { Programme } from "../../../src/model/programme.ts";
import type { Recording } from "../../../src/model/recording.ts";
import { MINUTE } from "../../../src/model/time.ts";
import { isOwnShowNfo, nfoOf, showNfoOf } from "../../../src/recorder/capture/nfo.ts";
import { anyText, fc } from "../../properties.ts";
import { ended } from "../subsystems/library/entries.ts";
import { readNfo } from "./nfo-rules.ts";

const EIGHT = Date.UTC(2026, 10, 20, 20, 0);
const PROGRAMME: Programme = {
  subtitle: "The first",
  description: "Told.",
  season: 2,
  episode: 5,
  seriesId: "s",
  episodeId: "e",
  categories: ["News", "Weather"],
  rating: "PG",
  date: "2026",
};

function recording(programme?: Programme, name = "News & co"): Recording {
  const { programme: _none, ...rest } = ended("r000001");
  const about = { name, channelName: "ABC TV", event: { start: EIGHT, stop: EIGHT + 30 * MINUTE } };
  return { ...rest, ...about, ...(programme === undefined ? {} : { programme }) } as Recording;
}
const nfo = (...about: Parameters<typeof recording>) =>
  readNfo(nfoOf(recording(...about), "Australia/Sydney"));

describe("the .nfo beside a recording", () => {
  it("describes an episode, if the guide knows one, in the form of Kodi and Jellyfin", () => {
    expect(nfo(PROGRAMME)).toEqual({
      kind: "episodedetails",
      mistakes: [],
      values: {
        title: ["The first"],
        showtitle: ["News & co"],
        season: ["2"],
        episode: ["5"],
        // The date in Sydney, which is the 21st by then.
        aired: ["2026-11-21"],
        plot: ["Told."],
        genre: ["News", "Weather"],
        mpaa: ["PG"],
        studio: ["ABC TV"],
        runtime: ["30"],
        uniqueid: ["r000001"],
      },
    });
  });

  it("describes a film otherwise, with the broadcast date if no other is known", () => {
    const { kind, values, mistakes } = nfo();
    expect([kind, mistakes]).toEqual(["movie", []]);
    expect(values).toMatchObject({ title: ["News & co"], premiered: ["2026-11-21"] });
  });

  it.each([
    ["1994", { year: ["1994"] }],
    ["1994-05-06", { premiered: ["1994-05-06"] }],
    ["19940506", { premiered: ["1994-05-06"] }],
    ["in spring", { premiered: ["2026-11-21"] }],
  ])("has the film's own date if that is known: %s", (date, expected) => {
    const { values, mistakes } = nfo({ date });
    expect(mistakes).toEqual([]);
    const { premiered, year } = values;
    expect({ ...(premiered && { premiered }), ...(year && { year }) }).toEqual(expected);
  });

  it("describes a film if the guide says so, even with a subtitle and a series id", () => {
    const film = { subtitle: "An old tale", seriesId: "9", categories: ["Spielfilm"] };
    expect(nfo(film)).toMatchObject({ kind: "movie", mistakes: [], values: { tagline: ["An old tale"] } });
    expect(nfo({ ...film, season: 1, episode: 2 }).kind).toBe("episodedetails");
  });

  it("is valid whatever data the guide has", () => {
    const text = anyText({ minLength: 1 });
    fc.assert(
      fc.property(text, text, fc.boolean(), (name, other, isFilm) => {
        const programme = { description: other, rating: other, categories: [other], date: other };
        const { mistakes } = nfo(isFilm ? programme : { ...programme, subtitle: other }, name);
        expect(mistakes).toEqual([]);
      }),
    );
  });
});

it("the .nfo has texts that change no line and no direction of their surroundings", () => {
  const programme = {
    ...PROGRAMME,
    subtitle: "A\u202eB\nC",
    description: "One\r\nTwo\u2066\u0007three\u2028Four",
  };
  const text = nfoOf(recording(programme, "Ev\u200fil\n\u001b[31m"), "UTC");
  expect(text).toContain("<showtitle>Ev il [31m</showtitle>");
  expect(text).toContain("<title>A B C</title>");
  expect(text).toContain("<plot>One\nTwo three\nFour</plot>");
});

describe("the tvshow.nfo of a show's folder", () => {
  it("has the fields that Kodi requires, and is recognised as our own unless someone changed it", () => {
    const text = showNfoOf(recording(PROGRAMME, 'A <b> & "c" \u0000\u202e'));
    expect(readNfo(text)).toMatchObject({ kind: "tvshow", mistakes: [] });
    expect(isOwnShowNfo(text)).toBe(true);
    expect(isOwnShowNfo(text.replace("</title>", "</title>\n  <plot>More</plot>"))).toBe(false);
  });
});
