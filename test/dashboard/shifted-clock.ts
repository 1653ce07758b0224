import type { Page } from "playwright-core";

/** How far `npm run test:at` sets the clock ahead. */
const AHEAD_MS = 1000 * Number(/^([+-]\d+)s$/.exec(process.env["FAKETIME"] ?? "")?.[1] ?? 0);

/** The environment without libfaketime: Chromium hangs with it. */
export function environmentOfChromium(): Readonly<Record<string, string | undefined>> {
  const { LD_PRELOAD: _, ...others } = process.env;
  return AHEAD_MS === 0 ? process.env : others;
}

/** Sets the clock of a page ahead as far as ours. */
export async function shiftClock(page: Page): Promise<void> {
  if (AHEAD_MS === 0) return;
  await page.addInitScript(`Date = class extends Date {
    constructor(...given) {
      super(...(given.length === 0 ? [new.target.now()] : given));
    }
    static now() {
      return super.now() + ${AHEAD_MS};
    }
  };`);
}
