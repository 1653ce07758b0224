import { SECOND } from "../../model/time.ts";
import { after, present } from "../clock.ts";

const KEPT_AS = "recorderd-reloaded-at";
const AGAIN_MS = 2 * SECOND;
/** The page must not reload again and again if a file is still missing. */
const PAUSE_MS = 60 * SECOND;

let isWaiting = false;

/**
 * Reloads the page once the recorder answers. An upgrade renames the files that an open page still needs. A reload
 * while the recorder is down would show the browser's error page.
 */
export function reloadWhenAnswered(): void {
  if (isWaiting) return;
  isWaiting = true;
  void look();
}

async function look(): Promise<void> {
  const at = Number(sessionStorage.getItem(KEPT_AS) ?? 0);
  const answers = await fetch("/", { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!answers || Math.abs(present() - at) < PAUSE_MS) {
    after(AGAIN_MS, () => void look());
    return;
  }
  sessionStorage.setItem(KEPT_AS, String(present()));
  location.reload();
}
