import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { KnownService } from "../../model/channel-match.ts";
import type { Reach } from "../../model/reach.ts";
import { tripletKey } from "../../model/service.ts";
import { ask } from "../state/api.ts";
import { reader, say } from "../state/language.ts";
import { returnCount } from "../state/live.ts";
import { liveLink } from "../state/place.ts";
import { isReceived, loadReach, reach } from "../state/reach.ts";
import { ActionButton } from "./action.tsx";
import { Logo } from "./logo.tsx";

/** Received channels of the guide; a missing one can be assigned to a service with one click. */
export function ChannelsCard() {
  const failure = useSignal<string | undefined>(undefined);
  useEffect(() => {
    failure.value = undefined;
    loadReach().catch((error: unknown) => {
      failure.value = error instanceof Error ? error.message : String(error);
    });
  }, [failure, returnCount.value]);
  const assign = async ({ channelId }: Reach, service: KnownService["triplet"] | null) => {
    reach.value = await ask<readonly Reach[]>("PUT", `/v1/tuners/channels/${encodeURIComponent(channelId)}`, {
      service,
    });
  };
  const missing = reach.value?.filter(({ service }) => service === undefined) ?? [];
  const received = reach.value?.filter(isReceived) ?? [];
  const assigned = reach.value?.filter(({ by }) => by === "assigned") ?? [];
  return (
    <section class="card" aria-labelledby="nav-channels">
      <h2 id="nav-channels">{say("nav-channels")}</h2>
      <p>
        {failure.value ??
          (reach.value === undefined ? "…" : receivedText(reach.value.length, missing.length))}
      </p>
      {missing.length === 0 ? null : (
        <details open>
          <summary>{say("reception-missing")}</summary>
          <ul
            class="long"
            aria-label={say("reception-missing-list")}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
            tabIndex={0}
          >
            {missing.map((one) => (
              <Missing key={one.channelId} one={one} assign={(service) => assign(one, service)} />
            ))}
          </ul>
        </details>
      )}
      {received.length === 0 ? null : (
        <details>
          <summary>{say("reception-watch-live")}</summary>
          <ul class="watch-list" aria-label={say("reception-list")}>
            {received.map(({ channelId, number, name, service }) => (
              <li key={channelId}>
                <a href={liveLink(service)}>
                  <Logo channelId={channelId} name={name} />
                  {say("reception-watch", { channel: number === undefined ? name : `${number} ${name}` })}
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
      {assigned.length === 0 ? null : (
        <details>
          <summary>{say("reception-by-hand")}</summary>
          <ul>
            {assigned.map((one) => (
              <li key={one.channelId}>
                {one.service === undefined
                  ? whyText(one)
                  : say("reception-is", { name: one.name, service: tripletKey(one.service) })}{" "}
                <ActionButton
                  act={() => assign(one, null)}
                  done={say("reception-automatic-done", { name: one.name })}
                >
                  {say("reception-automatic", { name: one.name })}
                </ActionButton>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Missing({
  one,
  assign,
}: {
  readonly one: Reach;
  readonly assign: (service: KnownService["triplet"]) => Promise<void>;
}) {
  const { name, candidates = [] } = one;
  const [likeliest] = candidates;
  const chosen = useSignal("");
  const service = candidates.find(({ triplet }) => tripletKey(triplet) === chosen.value) ?? likeliest;
  return (
    <li>
      {whyText(one)}
      {service === undefined ? null : (
        <div class="buttons">
          <select
            aria-label={say("reception-service", { name })}
            value={tripletKey(service.triplet)}
            onChange={({ currentTarget }) => {
              chosen.value = currentTarget.value;
            }}
          >
            {candidates.map((each) => (
              <option key={tripletKey(each.triplet)} value={tripletKey(each.triplet)}>
                {serviceText(each)}
              </option>
            ))}
          </select>
          <ActionButton
            act={() => assign(service.triplet)}
            done={say("reception-assigned", { name, service: serviceText(service) })}
          >
            {say("reception-assign", { name })}
          </ActionButton>
        </div>
      )}
    </li>
  );
}

function whyText({ name, services = [] }: Reach): string {
  return services.length === 0
    ? say("reception-why-unknown", { name })
    : say("reception-why", { name, services: reader().list(services.map(tripletKey)) });
}

function serviceText({ name, lcn, triplet }: KnownService): string {
  return [lcn === undefined ? "" : `${lcn}`, name, `(${tripletKey(triplet)})`]
    .filter((part) => part !== "")
    .join(" ");
}

function receivedText(all: number, missing: number): string {
  if (all === 0) return say("reception-none-yet");
  if (missing === 0) return say("reception-all", { count: all });
  return say("reception-some", { count: all, missing });
}
