import { now } from "../clock.ts";
import { view } from "../state/live.ts";
import { GUIDE_SERVICE_LINK } from "../state/place.ts";
import { clockText, dayText } from "../words.ts";

/** Problems that prevent or may prevent a recording, shown on every page. */
export function Troubles() {
  const facts = view.value?.facts;
  if (facts === undefined) return null;
  const { guide, clock, store, secrets, space } = facts;
  const since = (at: number) => `since ${dayText(at, now.value)} ${clockText(at)}`;
  const texts = [
    guide.failure === undefined || guide.signInNeeded
      ? ""
      : `Guide service ${since(guide.failure.since)}: ${guide.failure.text}`,
    guide.quarantine === undefined
      ? ""
      : `The guide service lists ${guide.quarantine.listed} of ${guide.quarantine.held} timers: none is withdrawn because of that.`,
    clock.trusted ? "" : `Clock: ${clock.text ?? "not trusted"}`,
    store === undefined ? "" : `Data folder ${since(store.since)}: ${store.text}`,
    secrets === undefined ? "" : `Secrets file ${since(secrets.since)}: ${secrets.text}`,
    space?.level === "offline" ? "The disk for recordings is missing." : "",
    space?.level === "full" ? "The disk for recordings is full: nothing is recorded." : "",
    space?.level === "low" ? "The disk for recordings is nearly full." : "",
  ].filter((text) => text !== "");
  if (texts.length === 0 && !guide.signInNeeded) return null;
  return (
    <ul class="troubles" aria-label="Troubles">
      {guide.signInNeeded ? (
        <li>
          The guide service needs a new sign-in. Until then, no new timers arrive:{" "}
          <a href={GUIDE_SERVICE_LINK}>sign in</a>
        </li>
      ) : null}
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
