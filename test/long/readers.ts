import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createSay, type Say } from "../../src/words/catalogue.ts";
import { LANGUAGES, type Language, textsOf } from "../../src/words/language.ts";
import { type Browser, openPage, violations } from "../dashboard/browser.ts";
import { CUT, OVERLAPS } from "../dashboard/cut.ts";

/** `ALBUM=FOLDER` saves a picture of each place in that folder, to be looked at. */
const ALBUM = process.env["ALBUM"];
const WIDTHS = [390, 1024, 1440] as const;
const HEIGHT = 900;
const SCREENS_MAX = 3;

/** Each language in both colour schemes. Each width comes to two languages in both. */
export const READERS = (Object.keys(LANGUAGES) as Language[]).flatMap((language, at) =>
  (["light", "dark"] as const).map((scheme) => ({
    language,
    scheme,
    width: WIDTHS[(at + (scheme === "dark" ? 1 : 0)) % WIDTHS.length] ?? WIDTHS[0],
  })),
);
export type Reader = Omit<(typeof READERS)[number], "width"> & { readonly width: number };

/** A place of the dashboard as one reader gets there. */
interface Visit {
  readonly name: string;
  readonly base: string;
  /** Its recorder is made up, and has no files: some requests fail. */
  readonly isMadeUp?: boolean;
  /** The folder in the album; absent: the album itself. */
  readonly folder?: string;
  /** A list of all there is may be as long as it has to be. */
  readonly isList?: boolean;
  readonly open: (page: Page, say: Say) => Promise<void>;
}

/** The faults of a place: those that axe-core finds, texts that are cut or lie over each other, and pages that are too wide or long. */
export async function faultsAt(
  browser: Browser,
  { language, scheme, width }: Reader,
  { name, base, folder = ".", isList = false, isMadeUp = false, open }: Visit,
): Promise<readonly string[]> {
  const { page, errors } = await openPage(browser, {
    base,
    width,
    height: HEIGHT,
    dark: scheme === "dark",
    locale: language,
  });
  page.setDefaultTimeout(60_000);
  try {
    await open(page, createSay({ locale: language, text: await textsOf(language) }));
    const own = errors.filter((text) => !isMadeUp || !text.startsWith("Failed to load resource"));
    const found = { ...(await faultsOf(page, isList)), errors: own };
    await keepPicture(page, { name: `${name}-${language}-${scheme}`, folder, width });
    return Object.entries(found).flatMap(([fault, all]) => all.map((one) => `${name}: ${fault}: ${one}`));
  } catch (error) {
    return [`${name}: ${String(error)}`];
  } finally {
    await page.close();
  }
}

async function faultsOf(page: Page, isList: boolean): Promise<Readonly<Record<string, readonly string[]>>> {
  const heightPx = await heightOf(page);
  const isWide = await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
  return {
    axe: await violations(page),
    cut: await page.evaluate<readonly string[]>(CUT),
    overlaps: await page.evaluate<readonly string[]>(OVERLAPS),
    wide: isWide ? ["wider than the screen"] : [],
    long: !isList && heightPx > SCREENS_MAX * HEIGHT ? [`${heightPx} pixels`] : [],
  };
}

/** The height of a page, or of the dialog that is open in front of it. */
function heightOf(page: Page): Promise<number> {
  return page.evaluate<number>(
    "(document.querySelector('dialog[open]') ?? document.documentElement).scrollHeight",
  );
}

async function keepPicture(
  page: Page,
  { name, folder, width }: { readonly name: string; readonly folder: string; readonly width: number },
): Promise<void> {
  if (ALBUM === undefined) return;
  await mkdir(join(ALBUM, folder), { recursive: true });
  const heightPx = await heightOf(page);
  await page.setViewportSize({ width, height: Math.max(HEIGHT, Math.min(heightPx, SCREENS_MAX * HEIGHT)) });
  await page.screenshot({ path: join(ALBUM, folder, `${name.replace(/[^\w-]+/g, "_")}-${width}.png`) });
}
