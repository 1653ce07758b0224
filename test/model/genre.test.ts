import { describe, expect, it } from "vitest";
import { genreOf } from "../../src/model/genre.ts";
import { GENRES } from "../../src/model/rule.ts";

const byName = (name: string) => genreOf([{ name }]);

describe("the genre of a show", () => {
  it("is the first digit of the broadcast's content code (EN 300 468 table 29)", () => {
    const codes = [0x10, 0x2f, 0x31, 0x43, 0x50, 0x6f, 0x70, 0x81, 0x90, 0xa7];
    const hex = (code: number) => genreOf([{ name: "", eit: `0x${code.toString(16)}` }]);
    expect(codes.map(hex)).toEqual(GENRES);
    expect(genreOf([{ name: "", eit: "32" }])).toBe("news");
  });

  it("is by the code where there is one, whatever the name says", () => {
    expect(genreOf([{ name: "Film" }, { name: "Sport", eit: "0x50" }])).toBe("children");
  });

  it.each(["0x00", "0x0f", "0xb0", "0xf3", "0x", "999", "-16", "news", "0x1000"])(
    "is unknown by the code %s",
    (eit) => expect(genreOf([{ name: "", eit }])).toBeUndefined(),
  );

  it.each([
    ["movie", ["Spielfilm", "Películas", "Fiction", "Cinéma", "Drama", "Krimi", "Serie", "ドラマ", "映画"]],
    [
      "news",
      ["News", "Nachrichten", "Noticias", "Actualités", "Telegiornale", "Current Affairs", "ニュース"],
    ],
    ["show", ["Quiz Show", "Unterhaltung", "Concurso", "Divertissement", "Intrattenimento", "バラエティー"]],
    ["sports", ["Sport", "Fußball", "Deportes", "Football", "Calcio", "スポーツ"]],
    ["children", ["Children", "Kinderserie", "Infantil", "Jeunesse", "Bambini", "キッズ"]],
    ["music", ["Music", "Musik", "Música", "Musique", "音楽"]],
    ["education", ["Documentary", "Dokumentarfilm", "Documental", "Documentaire", "Science", "教養"]],
    ["leisure", ["Lifestyle", "Reisen", "Ocio", "Loisirs", "Tempo libero", "趣味"]],
    ["society", ["Politik", "Société", "Economy"]],
    ["arts", ["Arts", "Kultur", "Cultura", "Culture"]],
  ] as const)("%s is known by the names that guides give it", (genre, names) => {
    expect(names.filter((name) => byName(name) !== genre)).toEqual([]);
  });

  it.each(["", "Party", "Article", "HD", "Untertitel"])(
    "is unknown where the name says nothing: %j",
    (name) => expect(byName(name)).toBeUndefined(),
  );
});
