import type { Snapshot } from "../../model/snapshot.ts";
import { now } from "../clock.ts";
import { Chip } from "../parts/chip.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { SignInForm } from "../parts/sign-in-form.tsx";
import { ask } from "../state/api.ts";
import { view } from "../state/live.ts";
import { showNotice } from "../state/notice.ts";
import { closeDialog, isAtGuideService } from "../state/place.ts";
import { clockText, dayText, type Tone } from "../words.ts";

type Guide = Snapshot["guide"];

/** The state of the recorder's sign-in at its guide service and a form to renew it, in a dialog. */
export function GuideService() {
  const guide = view.value?.facts.guide;
  if (!isAtGuideService.value || guide === undefined) return null;
  const { lastGoodAt, failure, reportsWaiting } = guide;
  return (
    <Dialog title="Guide service" onClose={closeDialog}>
      <p class="chips">
        <Chip {...signInWords(guide)} />
      </p>
      {failure === undefined ? null : <p>{failure.text}</p>}
      <Facts
        of={[
          ["Timers", lastGoodAt === undefined ? "not had yet" : `as of ${atText(lastGoodAt)}`],
          ["In trouble", failure === undefined ? undefined : `since ${atText(failure.since)}`],
          ["Reports waiting", String(reportsWaiting)],
        ]}
      />
      <section aria-labelledby="guide-sign-in">
        <h3 id="guide-sign-in">Sign the recorder in again</h3>
        <p class="faint">
          Use the account of the guide service. The recorder stores a token, not the password.
        </p>
        <SignInForm name="E-mail address" send={renewSignIn} />
      </section>
    </Dialog>
  );
}

async function renewSignIn(email: string, password: string): Promise<void> {
  const { until } = await ask<{ readonly until?: number }>("POST", "/v1/guide/sign-in", { email, password });
  showNotice(
    `Signed in with the guide service${until === undefined ? "" : ` until ${dayText(until, now.value)}`}.`,
  );
}

function atText(at: number): string {
  return `${dayText(at, now.value)} ${clockText(at)}`;
}

/** While the service is unreachable, nobody knows whether it would still accept the token. */
export function signInWords({ signInNeeded, failure, lastGoodAt }: Guide): {
  readonly tone: Tone;
  readonly mark: string;
  readonly text: string;
} {
  if (signInNeeded) return { tone: "bad", mark: "✕", text: "sign-in needed" };
  if (failure !== undefined) return { tone: "warn", mark: "!", text: "cannot be asked" };
  return lastGoodAt === undefined
    ? { tone: "plain", mark: "○", text: "not polled yet" }
    : { tone: "good", mark: "✓", text: "signed in" };
}
