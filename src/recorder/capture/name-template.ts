import type { EpochMs } from "../../model/time.ts";
import { dateOf, offsetOf, stampOf, timeOf } from "./name-time.ts";
import { bytesOf, cut, safePart, unreserved } from "./safe-name.ts";

/** What a file's name can tell of a recording. What is not known leaves its place in the template empty. */
export interface NameFacts {
  readonly title: string;
  readonly subtitle?: string;
  readonly season?: number;
  readonly episode?: number;
  readonly channel: string;
  /** Of the event. */
  readonly start: EpochMs;
  readonly recordingId: string;
  readonly timerId: string;
  readonly showId?: string;
  readonly seriesId?: string;
}

const FIELDS = {
  title: ({ title }) => title,
  subtitle: ({ subtitle }) => subtitle,
  season: ({ season }) => twoDigits(season),
  episode: ({ episode }) => twoDigits(episode),
  channel: ({ channel }) => channel,
  start: ({ start }, zone) => stampOf(start, zone),
  date: ({ start }, zone) => dateOf(start, zone),
  year: ({ start }, zone) => dateOf(start, zone).slice(0, 4),
  month: ({ start }, zone) => dateOf(start, zone).slice(5, 7),
  day: ({ start }, zone) => dateOf(start, zone).slice(8, 10),
  time: ({ start }, zone) => timeOf(start, zone),
  offset: ({ start }, zone) => offsetOf(start, zone),
  recordingId: ({ recordingId }) => recordingId,
  timerId: ({ timerId }) => timerId,
  showId: ({ showId }) => showId,
  seriesId: ({ seriesId }) => seriesId,
} satisfies Record<string, (facts: NameFacts, timeZone: string) => string | undefined>;

type Field = keyof typeof FIELDS;

type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "field"; readonly field: Field }
  /** Left out as a whole where one of its fields is empty. */
  | { readonly kind: "option"; readonly pieces: readonly Piece[] };

/** Folders and the file's name without its ending, each in pieces. */
export interface NameTemplate {
  readonly levels: readonly (readonly Piece[])[];
  readonly timeZone: string;
}

/** Folders within folders, the file included. */
const LEVELS_MAX = 8;

/**
 * Reads `{series}/{title}[ - {subtitle}] - {start}`: fields in braces, parts that may be missing in brackets, folders before a
 * slash.
 *
 * @throws Error that says what is wrong, for the one who wrote it
 */
export function parseNameTemplate(template: string, timeZone: string): NameTemplate {
  const texts = template.split("/");
  if (texts.length > LEVELS_MAX) throw new Error(`expected at most ${LEVELS_MAX - 1} folders`);
  const levels = texts.map(piecesOf);
  if (levels.some((pieces) => pieces.length === 0)) throw new Error('expected no empty name between two "/"');
  return { levels, timeZone };
}

function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length; ) {
    const [all = "", option, plain] =
      /^(?:\[([^[\]]*)\]|((?:[^[\]{}]|\{[^[\]{}]*\})+))/.exec(text.slice(at)) ?? [];
    if (all === "") throw new Error(`expected pairs of brackets and braces, which end before a "/": ${text}`);
    at += all.length;
    if (option === undefined) pieces.push(...plainPieces(plain ?? ""));
    else pieces.push(optionOf(option));
  }
  return pieces;
}

function optionOf(text: string): Piece {
  const pieces = plainPieces(text);
  if (pieces.some(({ kind }) => kind === "field")) return { kind: "option", pieces };
  throw new Error(`expected a field within brackets, as in [ - {subtitle}]: [${text}]`);
}

function plainPieces(text: string): readonly Piece[] {
  return [...text.matchAll(/\{([^{}]*)\}|[^{}]+/g)].map(([all, name]): Piece => {
    if (name === undefined) return { kind: "text", text: all };
    if (isField(name)) return { kind: "field", field: name };
    throw new Error(`expected one of ${Object.keys(FIELDS).join(", ")} in braces, not ${name}`);
  });
}

function isField(name: string): name is Field {
  return Object.hasOwn(FIELDS, name);
}

/**
 * File systems allow 255; the rest is room for a number (` (1000)`) and for the endings of files that go beside it
 * (`-thumbnail.jpg`).
 */
export const NAME_BYTES_MAX = 255 - 7 - 16;

/** These are cut, in this order, where a name would be too long: what tells recordings apart stays. */
const LONG: readonly Field[] = ["subtitle", "title", "channel"];
const KEPT_BYTES_MIN = 24;

const NAMELESS = "Recording";

/**
 * Folders and file name without its ending, every one of them safe (`safePart`), none longer than `NAME_BYTES_MAX` bytes, and
 * none empty. Nothing that the facts hold leads out of the folder in which they are.
 */
export function nameOf(template: NameTemplate, facts: NameFacts): readonly [string, ...string[]] {
  const values = new Map(
    Object.entries(FIELDS).map(([field, read]) => [field, safePart(read(facts, template.timeZone) ?? "")]),
  );
  const names = template.levels.map((pieces) => levelOf(pieces, values));
  const file = names.at(-1) ?? "";
  const [first, ...others] = [
    ...names.slice(0, -1).filter((name) => name !== ""),
    file === "" ? NAMELESS : file,
  ];
  return [first ?? NAMELESS, ...others];
}

/** The name that is left where a file system refuses the one of the template. */
export function plainName({ start }: Pick<NameFacts, "start">): string {
  return `${NAMELESS} - ${stampOf(start, "UTC")}`;
}

function levelOf(pieces: readonly Piece[], values: ReadonlyMap<string, string>): string {
  const fitting = new Map(values);
  for (const field of LONG) {
    const excess = bytesOf(written(pieces, fitting)) - NAME_BYTES_MAX;
    const value = fitting.get(field) ?? "";
    if (excess > 0) fitting.set(field, cut(value, Math.max(KEPT_BYTES_MIN, bytesOf(value) - excess)));
  }
  return safePart(cut(written(pieces, fitting), NAME_BYTES_MAX));
}

function written(pieces: readonly Piece[], values: ReadonlyMap<string, string>): string {
  return unreserved(safePart(pieces.map((piece) => pieceText(piece, values)).join("")));
}

function pieceText(piece: Piece, values: ReadonlyMap<string, string>): string {
  switch (piece.kind) {
    case "text":
      return piece.text;
    case "field":
      return values.get(piece.field) ?? "";
    case "option":
      return piece.pieces.some((each) => each.kind === "field" && pieceText(each, values) === "")
        ? ""
        : piece.pieces.map((each) => pieceText(each, values)).join("");
  }
}

function twoDigits(number: number | undefined): string | undefined {
  return number === undefined ? undefined : String(number).padStart(2, "0");
}
