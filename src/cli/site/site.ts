import { Command, InvalidArgumentError, Option } from "commander";
import { createHttpClient } from "../../kit/http/http.ts";
import { latestAnnouncements } from "../../site/announcements.ts";
import { createSiteClient, type SiteClient } from "../../site/client.ts";
import { readSiteCredentials } from "../../site/credentials.ts";
import type { Deleted, SiteItem } from "../../site/documents.ts";
import {
  CollectionQuery,
  checked,
  PER_PAGE_MAX,
  REDIRECTS_PER_PAGE_MAX,
  RedirectsQuery,
} from "../../site/parameters.ts";
import { readBatchFile, readFieldsFile } from "../../site/request-file.ts";
import type { SitePage } from "../../site/walk.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import {
  announcementsText,
  batchText,
  indexText,
  itemFields,
  itemsText,
  itemText,
  redirectsText,
} from "./site-text.ts";

/** The site accepted the batch but refused some of it. */
const EXIT_PARTLY_REFUSED = 1;

interface SiteCommandOptions {
  readonly site: string;
  readonly credentials?: string;
  readonly json?: boolean;
}

interface ListOptions extends SiteCommandOptions {
  readonly all?: boolean;
  readonly page?: number;
  readonly perPage?: number;
  readonly orderby?: string;
}

interface CollectionOptions extends ListOptions {
  readonly order?: string;
  readonly search?: string;
  readonly include?: readonly number[];
  readonly exclude?: readonly number[];
  readonly offset?: number;
  readonly context?: string;
}

/**
 * `recorderd site …`: the content site of a guide service, through the interface that its index describes.
 *
 * @throws RecorderdError SITE_… (see SiteClient), FILE_UNREADABLE from `parseAsync`
 */
export function siteCommand(io: CliIo): Command {
  return new Command("site")
    .description("read and edit the content site of a guide service")
    .addCommand(indexCommand(io))
    .addCommand(announcementsCommand(io))
    .addCommand(listCommand(io))
    .addCommand(getCommand(io))
    .addCommand(createCommand(io))
    .addCommand(updateCommand(io))
    .addCommand(deleteCommand(io))
    .addCommand(batchCommand(io))
    .addCommand(redirectsCommand(io));
}

function indexCommand(io: CliIo): Command {
  return command("index", "show the site's collections, and where it issues application passwords").action(
    (options: SiteCommandOptions) =>
      withSite(io, options, async (client) => {
        const index = await client.index(io.signal);
        io.print(options.json === true ? plainJson(index) : indexText(index, io.columns));
      }),
  );
}

function announcementsCommand(io: CliIo): Command {
  return command("announcements", "show the newest posts")
    .option("--count <number>", `number of posts, 1 to ${PER_PAGE_MAX}`, wholeNumber, 5)
    .action((options: SiteCommandOptions & { readonly count: number }) =>
      withSite(io, options, async (client) => {
        const found = await latestAnnouncements(client, options.count, io.signal);
        io.print(options.json === true ? plainJson(found) : announcementsText(found));
      }),
    );
}

function listCommand(io: CliIo): Command {
  return paged("list", "list a collection: posts, pages, media …", PER_PAGE_MAX)
    .argument("<collection>", "name from `recorderd site index`")
    .option("--page <number>", "from 1 (default: 1)", wholeNumber)
    .option("--order <direction>", "asc or desc (default: the site's, desc)")
    .option("--orderby <field>", "field to sort by, such as date, id or title")
    .option("--search <text>", "only entries with this text")
    .option("--include <ids>", "only these ids, such as 3,5,8", wholeNumbers)
    .option("--exclude <ids>", "all but these ids", wholeNumbers)
    .option(
      "--offset <number>",
      "entries to skip at the beginning; the site then ignores --page",
      wholeNumber,
    )
    .option("--context <name>", "view, embed or edit (default: the site's, view); edit needs credentials")
    .action((collection: string, options: CollectionOptions) =>
      withSite(io, options, async (client) => {
        const { page, orderby, order, search, include, exclude, offset, context } = options;
        const query = checked(CollectionQuery, {
          ...{ page, orderby, order, search, include, exclude, offset, context },
          per_page: perPage(options, PER_PAGE_MAX),
          _fields: options.json === true ? undefined : itemFields(collection),
        });
        const request = { collection, query };
        const pages =
          options.all === true ? client.walk(request, io.signal) : [await client.list(request, io.signal)];
        await printPages(io, options, { pages, text: itemsText });
      }),
    );
}

function redirectsCommand(io: CliIo): Command {
  return paged("redirects", "list the site's redirections (for its administrators)", REDIRECTS_PER_PAGE_MAX)
    .option("--page <number>", "from 0 (default: 0)", wholeNumber)
    .option("--direction <direction>", "asc or desc (default: the site's, desc)")
    .option("--orderby <field>", "field to sort by, such as source, last_count, last_access or id")
    .action((options: ListOptions & { readonly direction?: string }) =>
      withSite(io, options, async (client) => {
        const { page, orderby, direction } = options;
        const per_page = perPage(options, REDIRECTS_PER_PAGE_MAX);
        const query = checked(RedirectsQuery, { page, orderby, direction, per_page });
        const all = options.all === true;
        const pages = all
          ? client.walkRedirects(query, io.signal)
          : [await client.redirects(query, io.signal)];
        await printPages(io, options, { pages, text: redirectsText });
      }),
    );
}

function getCommand(io: CliIo): Command {
  return command("get", "show one entry of a collection")
    .argument("<collection>")
    .argument("<id>")
    .option("--context <name>", "view, embed or edit (default: the site's, view); edit needs credentials")
    .action((collection: string, id: string, options: CollectionOptions) =>
      withSite(io, options, async (client) => {
        const query = checked(CollectionQuery.pick({ context: true }), { context: options.context });
        const item = await client.item({ collection, id, query }, io.signal);
        printItem(io, options, item);
      }),
    );
}

const FIELDS_FILE = 'a JSON object, such as {"title": "News", "content": "<p>…</p>", "status": "draft"}';

function createCommand(io: CliIo): Command {
  return command("create", "create an entry in a collection")
    .argument("<collection>")
    .argument("<file>", FIELDS_FILE)
    .action((collection: string, file: string, options: SiteCommandOptions) =>
      withSite(io, options, async (client) => {
        const fields = await readFieldsFile(file);
        printItem(io, options, await client.create({ collection, fields }, io.signal));
      }),
    );
}

function updateCommand(io: CliIo): Command {
  return command("update", "change fields of an entry; other fields keep their values")
    .argument("<collection>")
    .argument("<id>")
    .argument("<file>", FIELDS_FILE)
    .action((collection: string, id: string, file: string, options: SiteCommandOptions) =>
      withSite(io, options, async (client) => {
        const fields = await readFieldsFile(file);
        printItem(io, options, await client.update({ collection, id, fields }, io.signal));
      }),
    );
}

function printItem(io: CliIo, { json }: SiteCommandOptions, item: SiteItem): void {
  io.print(json === true ? plainJson(item) : itemText(item, io.columns));
}

function deleteCommand(io: CliIo): Command {
  return command("delete", "move an entry to the trash")
    .argument("<collection>")
    .argument("<id>")
    .option("--force", "delete the entry permanently, bypassing the trash")
    .option(
      "--reassign <id>",
      "for a user: id of the user who gets the user's posts, or none to delete those too",
      userOrNone,
    )
    .action((collection: string, id: string, options: DeleteOptions) =>
      withSite(io, options, async (client) => {
        const { force, reassign } = options;
        const deleted = await client.remove({ collection, id, force, reassign }, io.signal);
        io.print(options.json === true ? plainJson(deleted) : `${collection} ${id}: ${fateOf(deleted)}`);
      }),
    );
}

interface DeleteOptions extends SiteCommandOptions {
  readonly force?: boolean;
  readonly reassign?: number | "none";
}

function fateOf({ deleted, status }: Deleted): string {
  if (deleted === true) return "deleted permanently";
  return status === "trash"
    ? "in the trash"
    : `the site answered with status ${plainLine(status ?? "unknown")}`;
}

function batchCommand(io: CliIo): Command {
  return command("batch", "send up to 25 requests from a JSON file as one batch")
    .argument(
      "<file>",
      '{"validation": "normal" or "require-all-validate", "requests": [{"method", "path", "body", "headers"}]}',
    )
    .action((file: string, options: SiteCommandOptions) =>
      withSite(io, options, async (client) => {
        const batch = await readBatchFile(file);
        const answer = await client.batch(batch, io.signal);
        io.print(options.json === true ? plainJson(answer) : batchText(batch, answer, io.columns));
        const refused = answer.responses.some((response) => response === null || response.status >= 400);
        if (refused) io.exitCode(EXIT_PARTLY_REFUSED);
      }),
    );
}

function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .requiredOption(
      "--site <url>",
      "address of the site; its API is at /wp-json/ below this address, or where its pages say",
    )
    .addOption(
      new Option("--credentials <file>", 'file with mode 0600: {"user": "…", "applicationPassword": "…"}'),
    )
    .option("--json", "print the answer as JSON");
}

function paged(name: string, description: string, perPageMax: number): Command {
  return command(name, description)
    .option("--all", `read all entries, ${perPageMax} at a time unless --per-page is given`)
    .option("--per-page <number>", `at most ${perPageMax}`, wholeNumber);
}

async function withSite(
  io: CliIo,
  { site, credentials }: SiteCommandOptions,
  work: (client: SiteClient) => Promise<void>,
): Promise<void> {
  const signIn = credentials === undefined ? {} : { credentials: await readSiteCredentials(credentials) };
  await using http = createHttpClient();
  await work(createSiteClient({ siteUrl: site, ...signIn, http, clock: io.clock }));
}

function perPage({ all, perPage: given }: ListOptions, max: number): number | undefined {
  return given ?? (all === true ? max : undefined);
}

interface Pages<T> {
  readonly pages: AsyncIterable<SitePage<T>> | Iterable<SitePage<T>>;
  readonly text: (items: readonly T[], columnsMax: CliIo["columns"]) => string;
}

async function printPages<T>(io: CliIo, options: ListOptions, { pages, text }: Pages<T>): Promise<void> {
  const read: SitePage<T>[] = [];
  for await (const page of pages) read.push(page);
  const { total, totalPages } = read.at(-1) ?? {};
  const items = read.flatMap((page) => page.items);
  io.print(options.json === true ? plainJson({ items, total, totalPages }) : text(items, io.columns));
  if (options.all !== true && total !== undefined && total > items.length) {
    io.note(`${items.length} of ${total} entries; --all shows all of them.`);
  }
}

function userOrNone(text: string): number | "none" {
  return text === "none" ? text : wholeNumber(text);
}

function wholeNumber(text: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected a whole number.");
}

function wholeNumbers(text: string): readonly number[] {
  return text.split(",").map((part) => wholeNumber(part.trim()));
}
