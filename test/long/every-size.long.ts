import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, openPage } from "../dashboard/browser.ts";
import { openLargeHousehold } from "../dashboard/large-household.ts";
import { LARGE_PLACES, LISTS } from "../dashboard/large-places.ts";
import { faultsAt, type Reader } from "./readers.ts";

const SIZES = [
  { channels: 16, timers: 5, entries: 5, lists: LISTS },
  // Decisions with titles of four lines, and all that tonight has.
  { channels: 200, timers: 5000, entries: 2000, lists: [...LISTS, "/", "/timeline"] },
] as const;

/** German has the longest words, Japanese the widest letters. */
const READERS: readonly Reader[] = (["de", "ja"] as const).flatMap((language) =>
  (["light", "dark"] as const).flatMap((scheme) =>
    [390, 1024, 1440].map((width) => ({ language, scheme, width })),
  ),
);

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

describe.each(SIZES)("with $channels channels and $timers timers", ({ lists, ...size }) => {
  let household: Awaited<ReturnType<typeof openLargeHousehold>>;
  beforeAll(async () => {
    household = await openLargeHousehold(size);
  });
  afterAll(() => household?.[Symbol.asyncDispose]());

  it.each(READERS)(
    "a reader of $language, $scheme, at $width pixels, finds no fault on any page or dialog",
    async (reader) => {
      const faults: string[] = [];
      for (const { name, open } of LARGE_PLACES) {
        const visit = { name, base: household.base, isList: lists.includes(name) };
        const made = { isMadeUp: true, folder: String(size.timers) };
        faults.push(...(await faultsAt(browser, reader, { ...visit, ...made, open })));
      }
      expect(faults).toEqual([]);
    },
  );
});

it.each([
  [390, 2, 5],
  [1440, 3, 8],
])(
  "at %d pixels, the start page shows %d of many decisions and %d of many recordings",
  async (width, cards, rows) => {
    await using household = await openLargeHousehold({ channels: 1, timers: 5000, entries: 1 });
    const { page } = await openPage(browser, { base: household.base, width });
    await page.goto("/");
    await page.locator(".decision").first().waitFor();
    expect(await page.locator(".decision").count()).toBe(cards);
    for (const part of [".now-cards > li", ".rows >> nth=0 >> li"])
      expect(await page.locator(part).count()).toBe(rows);
    await page.close();
  },
);
