import type { ComponentChildren } from "preact";
import { reader, say, sayWith } from "../state/language.ts";
import { view } from "../state/live.ts";
import { GUIDE_SERVICE_LINK } from "../state/place.ts";
import type { View } from "../state/view.ts";
import { momentText, troubleText } from "../words.ts";
import { Technical } from "./technical.tsx";

interface Trouble {
  readonly text: ComponentChildren;
  readonly since?: number;
  /** The recorder's own words, in English. */
  readonly technical?: string | undefined;
}

/** Problems that prevent or may prevent a recording, shown on every page. */
export function Troubles() {
  const facts = view.value?.facts;
  const troubles = facts === undefined ? [] : troublesOf(facts);
  if (troubles.length === 0) return null;
  const technical = troubles.flatMap((one) => one.technical ?? []);
  return (
    <div class="troubles">
      <ul aria-label={say("trouble-title")}>
        {troubles.map(({ text, since }, at) => (
          <li key={at}>
            {text}
            {since === undefined ? null : (
              <>
                {" "}
                <small>{say("trouble-since", { at: momentText(since) })}</small>
              </>
            )}
          </li>
        ))}
      </ul>
      <Technical texts={technical} />
    </div>
  );
}

function troublesOf({ guide, clock, store, secrets, space }: View["facts"]): readonly Trouble[] {
  return [
    ...guideTroubles(guide),
    ...(clock.trusted ? [] : [{ text: clockTrouble(clock), technical: clock.text }]),
    ...(store === undefined
      ? []
      : [{ text: storeTrouble(store), since: store.since, technical: store.text }]),
    ...(secrets === undefined
      ? []
      : [
          {
            text: secrets.usesEarlier ? say("trouble-secrets-earlier") : say("trouble-secrets"),
            since: secrets.since,
            technical: secrets.text,
          },
        ]),
    ...(space?.level === "offline" ? [{ text: say("trouble-disk-missing") }] : []),
    ...(space?.level === "full" ? [{ text: say("trouble-disk-full") }] : []),
    ...(space?.level === "low" ? [{ text: say("trouble-disk-low") }] : []),
  ];
}

function guideTroubles({ failure, signInNeeded, quarantine }: View["facts"]["guide"]): readonly Trouble[] {
  const link = (text: string) => <a href={GUIDE_SERVICE_LINK}>{text}</a>;
  return [
    ...(signInNeeded
      ? [{ text: sayWith({ link }, "trouble-guide-sign-in") }]
      : failure === undefined
        ? []
        : [{ text: troubleText(failure), since: failure.since, technical: failure.text }]),
    ...(quarantine === undefined
      ? []
      : [{ text: say("trouble-guide-few", { listed: quarantine.listed, held: quarantine.held }) }]),
  ];
}

/** Others agree that the clock is wrong, or nobody has borne it out yet. */
function clockTrouble({ aheadSeconds: { guide, broadcast } }: View["facts"]["clock"]): string {
  const seconds = [broadcast, guide].find((ahead) => ahead !== undefined && ahead !== 0);
  if (seconds === undefined) return say("trouble-clock");
  const by = reader().duration(seconds * 1000);
  return seconds > 0 ? say("trouble-clock-behind", { by }) : say("trouble-clock-ahead", { by });
}

function storeTrouble({ code }: NonNullable<View["facts"]["store"]>): string {
  if (code === "DISK_FULL") return say("trouble-data-disk-full");
  return code === "DISK_LOW" ? say("trouble-data-disk-low") : troubleText({ code });
}
