import type { Announcement } from "../../model/announcement.ts";
import { formatInstant } from "../../model/time.ts";
import type { BatchAnswer, Redirect, SiteIndex, SiteItem } from "../../site/documents.ts";
import { authorizationEndpointOf, collectionsOf } from "../../site/index-facts.ts";
import type { Batch } from "../../site/parameters.ts";
import { lineOfHtml } from "../../site/plain-text.ts";
import type { CliIo } from "../io.ts";
import { detailsText, tableText } from "../table.ts";

/*
 * The answers of a content site, for people. Texts of the site are made plain by the tables; those of announcements are plain.
 */

type Width = CliIo["columns"];

export function indexText(index: SiteIndex, columnsMax: Width): string {
  const authorization = authorizationEndpointOf(index);
  const about = detailsText(
    [
      ["name", index.name],
      ["description", index.description],
      ["address", index.url],
      ["namespaces", index.namespaces.join(", ")],
      ["application passwords", authorization === undefined ? "not offered" : `made at ${authorization}`],
    ],
    columnsMax,
  );
  const rows = collectionsOf(index).map(({ name, methods, paged }) => [
    name,
    paged ? "in pages" : "",
    methods.join(" "),
  ]);
  return `${about}\n\n${listText(["collection", "read", "methods"], rows, columnsMax)}`;
}

/** The fields that itemsText shows. Only comments show their text: other texts may have megabytes. */
export function itemFields(collection: string): readonly string[] {
  return collection === "comments" ? [...FIELDS, "author_name", "content"] : FIELDS;
}

const FIELDS = [
  ...["date_gmt", "date", "status", "title", "name", "slug", "plugin", "stylesheet"],
  ...["link", "source_url", "url"],
];

export function itemsText(items: readonly SiteItem[], columnsMax: Width): string {
  const rows = items.map((item) => [
    text(item.id),
    text(item["date_gmt"] ?? item["date"]),
    text(item["status"]),
    text(item["title"]) || commentText(item) || text(item["name"] ?? item["slug"]),
    text(item["link"] ?? item["source_url"] ?? item["url"]),
  ]);
  return listText(["id", "date", "status", "title", "address"], rows, columnsMax);
}

/** The author and the text. */
function commentText(item: SiteItem): string {
  const author = text(item["author_name"]);
  return author === "" ? "" : `${author}: ${text(item["content"])}`;
}

/** The text fields of an entry; the rest is in the JSON. */
export function itemText(item: SiteItem, columnsMax: Width): string {
  return detailsText(
    Object.entries(item).map(([name, value]) => [name, text(value)] as const),
    columnsMax,
  );
}

export function redirectsText(items: readonly Redirect[], columnsMax: Width): string {
  const rows = items.map((item) => [
    text(item.id),
    item.url,
    text(item["action_code"]),
    text(item["hits"]),
    item["enabled"] === false ? "off" : "on",
    text(field(item["action_data"], "url")),
  ]);
  return listText(["id", "from", "code", "hits", "state", "to"], rows, columnsMax);
}

export function batchText(
  { requests }: Batch,
  { failed, responses }: BatchAnswer,
  columnsMax: Width,
): string {
  const rows = requests.map(({ method = "POST", path }, index) => {
    const response = responses[index] ?? null;
    if (response === null) return [method, path, "", "not carried out"];
    const said = [field(response.body, "code"), field(response.body, "message")].map(text);
    return [method, path, String(response.status), said.filter((each) => each !== "").join(": ")];
  });
  const none = failed === undefined ? "" : "\n\nNo request was carried out, as not every request is valid.";
  return `${listText(["method", "path", "status", "the site says"], rows, columnsMax)}${none}`;
}

export function announcementsText(announcements: readonly Announcement[]): string {
  const lines = announcements.map(({ title, at, link }) => `${formatInstant(at)}  ${title}\n    ${link}`);
  return lines.length === 0 ? "nothing" : lines.join("\n");
}

function listText(head: readonly string[], rows: readonly (readonly string[])[], columnsMax: Width): string {
  return rows.length === 0 ? "nothing" : tableText({ head, rows }, columnsMax);
}

/** A value in words: texts, numbers, and the rendered form of formatted text. */
function text(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const rendered = field(value, "rendered");
  return typeof rendered === "string" ? lineOfHtml(rendered) : "";
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
