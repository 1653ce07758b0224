import type { Snapshot } from "../../model/snapshot.ts";
import { now } from "../clock.ts";
import { Chip } from "../parts/chip.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { SignInForm } from "../parts/sign-in-form.tsx";
import { Technical } from "../parts/technical.tsx";
import { ask } from "../state/api.ts";
import { reader, say } from "../state/language.ts";
import { view } from "../state/live.ts";
import { showNotice } from "../state/notice.ts";
import { closeDialog, isAtGuideService } from "../state/place.ts";
import { type Tone, troubleText } from "../words.ts";

type Guide = Snapshot["guide"];

/** The state of the recorder's sign-in at its guide service and a form to renew it, in a dialog. */
export function GuideService() {
  const guide = view.value?.facts.guide;
  if (!isAtGuideService.value || guide === undefined) return null;
  const { lastGoodAt, failure, reportsWaiting } = guide;
  return (
    <Dialog title={say("more-guide-service")} onClose={closeDialog}>
      <p class="chips">
        <Chip {...signInWords(guide)} />
      </p>
      {failure === undefined ? null : (
        <>
          <p>{troubleText(failure)}</p>
          <Technical texts={[failure.text]} />
        </>
      )}
      <Facts
        of={[
          [
            say("guide-service-timers"),
            lastGoodAt === undefined
              ? say("guide-service-no-timers")
              : say("guide-service-timers-at", { at: atText(lastGoodAt) }),
          ],
          [
            say("guide-service-trouble"),
            failure && say("guide-service-since", { at: atText(failure.since) }),
          ],
          [say("tuners-reports"), reader().number(reportsWaiting)],
        ]}
      />
      <section aria-labelledby="guide-sign-in">
        <h3 id="guide-sign-in">{say("guide-service-again")}</h3>
        <p class="faint">{say("guide-service-hint")}</p>
        <SignInForm name={say("sign-in-email")} send={renewSignIn} />
      </section>
    </Dialog>
  );
}

async function renewSignIn(email: string, password: string): Promise<void> {
  const { until } = await ask<{ readonly until?: number }>("POST", "/v1/guide/sign-in", { email, password });
  showNotice(
    until === undefined
      ? say("guide-service-done")
      : say("guide-service-done-until", { day: reader().inside.day(until, now.value) }),
  );
}

function atText(at: number): string {
  return reader().inside.at(at, now.value);
}

/** While the service is unreachable, nobody knows whether it would still accept the token. */
export function signInWords({ signInNeeded, failure, lastGoodAt }: Guide): {
  readonly tone: Tone;
  readonly mark: string;
  readonly text: string;
} {
  if (signInNeeded) return { tone: "bad", mark: "✕", text: say("guide-service-sign-in-needed") };
  if (failure !== undefined) return { tone: "warn", mark: "!", text: say("guide-service-unreachable") };
  return lastGoodAt === undefined
    ? { tone: "plain", mark: "○", text: say("guide-service-not-asked") }
    : { tone: "good", mark: "✓", text: say("guide-service-signed-in") };
}
