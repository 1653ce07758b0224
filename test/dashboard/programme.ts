import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MINUTE } from "../../src/model/time.ts";
import type { World } from "../../src/simulator/world.ts";
import type { Browser } from "./browser.ts";

/** Shows by their lengths in minutes: some are too short for letters. The code is that of the broadcast; one has none. */
const SLOTS = [
  { minutes: 90, title: "The long voyage", code: "0x10" },
  { minutes: 5, title: "Weather", code: "0x20" },
  { minutes: 45, title: "Quiz of the year", code: "0x31" },
  { minutes: 10, title: "Goals", code: "0x40" },
  { minutes: 30, title: "Little fox", code: "0x50" },
  { minutes: 60, title: "Evening concert", code: "0x60" },
  { minutes: 2, title: "Clip", code: "0x62" },
  { minutes: 3, title: "Spot", code: "0x72" },
  { minutes: 2, title: "Trailer", code: undefined },
  { minutes: 40, title: "Galleries", code: "0x70" },
  { minutes: 30, title: "At work", code: "0x80" },
  { minutes: 55, title: "Under the sea", code: "0x90" },
  { minutes: 25, title: "Garden", code: "0xa0" },
  { minutes: 15, title: "Test card", code: undefined },
] as const;

/** Fills the guide's channels from one instant to another, each from another slot on. */
export async function fillGuide(
  { guide }: Pick<World, "guide">,
  { channels, from, to }: { readonly channels: number; readonly from: number; readonly to: number },
): Promise<void> {
  const shows = Array.from({ length: channels }, (_, index) => index + 1).flatMap((channelId) =>
    showsOf(channelId, { from, to }),
  );
  await guide.seed({ regions: [], channels: [], manufacturers: [], types: [], series: [], shows });
}

function showsOf(channelId: number, { from, to }: { readonly from: number; readonly to: number }) {
  const shows = [];
  for (let start = from, at = channelId; start < to; at += 1) {
    const { minutes, title, code } = SLOTS[at % SLOTS.length] ?? SLOTS[0];
    shows.push({
      id: channelId * 10_000 + at,
      channelId,
      title,
      start,
      durationMinutes: minutes,
      category: code === undefined ? [] : [{ name: "", eit: code }],
    });
    start += minutes * MINUTE;
  }
  return shows;
}

/** Puts logos where people do: pictures of letters, named after their channels. */
export async function drawLogos(
  browser: Browser,
  dataFolder: string,
  names: readonly string[],
): Promise<void> {
  const folder = join(dataFolder, "logos");
  await mkdir(folder, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 120, height: 60 } });
  for (const [index, name] of names.entries()) {
    const hue = (index * 67) % 360;
    await page.setContent(
      `<body style="margin:0;background:hsl(${hue} 60% 40%);color:#fff;font:700 28px sans-serif;
        display:grid;place-items:center;height:60px">${name}</body>`,
    );
    await writeFile(join(folder, `${name}.png`), await page.screenshot());
  }
  await page.close();
}
