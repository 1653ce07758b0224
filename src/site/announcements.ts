import { z } from "zod";
import type { Announcement } from "../model/announcement.ts";
import { RecorderdError } from "../model/errors.ts";
import { parseInstant } from "../model/time.ts";
import type { SiteClient } from "./client.ts";
import { lineOfHtml } from "./plain-text.ts";

const Post = z.looseObject({
  id: z.union([z.int(), z.string()]),
  title: z.object({ rendered: z.string() }),
  /** UTC, without a zone in the text. */
  date_gmt: z.string().transform((text) => parseInstant(`${text}Z`)),
  link: z.url({ protocol: /^https?$/ }).max(2000),
});

/** Limits the answer: a post's other fields may have megabytes. */
const FIELDS = ["title", "date_gmt", "link"];

/**
 * The newest posts, newest first: at most `count` (1 to 100). The result is plain data that is independent of the
 * client.
 *
 * @throws RecorderdError as described at SiteClient
 */
export async function latestAnnouncements(
  client: Pick<SiteClient, "list">,
  count: number,
  signal: AbortSignal,
): Promise<readonly Announcement[]> {
  const query = { per_page: count, orderby: "date", order: "desc", _fields: FIELDS } as const;
  const { items } = await client.list({ collection: "posts", query }, signal);
  return items.map((item) => {
    const { id, title, date_gmt: at, link } = Post.safeParse(item).data ?? {};
    if (id !== undefined && title !== undefined && at !== undefined && link !== undefined) {
      return { id: String(id), title: lineOfHtml(title.rendered), at, link: new URL(link).href };
    }
    throw new RecorderdError(
      "SITE_ANSWER_INVALID",
      "A post of the content site has no readable title, date_gmt or link",
      { endpoint: "wp/v2/posts" },
    );
  });
}
