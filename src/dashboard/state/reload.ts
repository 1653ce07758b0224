import { SECOND } from "../../model/time.ts";
import { after, present } from "../clock.ts";

const KEPT_AS = "recorderd-reloaded-at";
const AGAIN_MS = 2 * SECOND;
/** A file that is missing after a reload, too, must not make the page flicker. */
const PAUSE_MS = 60 * SECOND;

let isWaiting = false;

/**
 * Loads the page anew once the recorder answers. After an upgrade, the files of an open page have other names; while
 * the recorder is away, a reload would show the browser's own page of errors.
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
