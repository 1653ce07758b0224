import { parseXml, type XmlElement } from "../../../src/kit/xml/xml.ts";

/*
 * The rules that Kodi and Jellyfin document of `.nfo` files, whatever our writer does: the tables of the Kodi wiki ("NFO
 * files/Movies", "NFO files/Episodes", "NFO files/TV shows") and Jellyfin's "Local .nfo metadata". Tags that both know.
 */

const MOVIE = {
  required: ["title", "uniqueid"],
  once: ["title", "tagline", "plot", "mpaa", "runtime", "premiered", "year"],
  many: ["genre", "studio", "uniqueid"],
};
const RULES: Readonly<Record<string, typeof MOVIE>> = {
  movie: MOVIE,
  episodedetails: {
    required: ["title", "uniqueid"],
    once: ["title", "showtitle", "season", "episode", "aired", "plot", "mpaa", "runtime"],
    many: ["genre", "studio", "uniqueid"],
  },
  // Its two required tags are this one and the title.
  tvshow: {
    required: ["title"],
    once: ["title", "plot", "premiered"],
    many: ["genre", "studio", "uniqueid"],
  },
};

/** `yyyy-mm-dd`, minutes without a unit, whole numbers. */
const VALUES: Readonly<Record<string, RegExp>> = {
  premiered: /^\d{4}-\d{2}-\d{2}$/,
  aired: /^\d{4}-\d{2}-\d{2}$/,
  year: /^\d{4}$/,
  runtime: /^\d+$/,
  season: /^\d+$/,
  episode: /^\d+$/,
};

const LIMITS = { depth: 8, elements: 1000, attributes: 1000, tagAttributes: 20, tokenLength: 10_000 };

export interface Nfo {
  readonly kind: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly mistakes: readonly string[];
}

export function readNfo(text: string): Nfo {
  const outcome = parseXml(text, LIMITS);
  if (outcome.kind !== "document") return { kind: "", values: {}, mistakes: [JSON.stringify(outcome)] };
  const { name: kind, children } = outcome.root;
  const rules = RULES[kind];
  if (rules === undefined) return { kind, values: {}, mistakes: [`no such document: ${kind}`] };
  const tags = new Set(children.map(({ name }) => name));
  const mistakes = [
    ...rules.required.filter((name) => !tags.has(name)).map((name) => `no ${name}`),
    ...rules.once.filter((name) => children.filter((each) => each.name === name).length > 1),
    ...children.flatMap((child) => mistakesIn(child, [...rules.once, ...rules.many])),
    ...(children.filter(({ attributes }) => attributes["default"] === "true").length > 1
      ? ["two defaults"]
      : []),
  ];
  const values: Record<string, string[]> = {};
  for (const { name, text } of children) values[name] = [...(values[name] ?? []), text];
  return { kind, values, mistakes };
}

function mistakesIn(
  { name, attributes, children, text }: XmlElement,
  known: readonly string[],
): readonly string[] {
  const mistakes: string[] = [];
  if (!known.includes(name)) mistakes.push(`unknown tag ${name}`);
  if (children.length > 0 || text === "") mistakes.push(`${name} is empty or not a text`);
  if (VALUES[name]?.test(text) === false) mistakes.push(`${name}: ${text}`);
  // An id says whose it is.
  if (name === "uniqueid" && !/^\w+$/.test(attributes["type"] ?? ""))
    mistakes.push("uniqueid without a type");
  return mistakes;
}
