import { useSignal } from "@preact/signals";
import { now } from "../clock.ts";
import type { Resource } from "../resource.ts";
import { reader, say } from "../state/language.ts";
import { ActionButton } from "./action.tsx";
import { bound } from "./bound.ts";

/** An entry of `listings` in `/v1/channels`. */
export interface Listing {
  readonly id: string;
  readonly rank: number;
  readonly name: string;
  readonly programmes: number;
  readonly readAt?: number;
  readonly failure?: { readonly at: number; readonly text: string };
  readonly zone?: string;
  readonly isPending: boolean;
  readonly flaws: readonly {
    readonly kind: string;
    readonly count: number;
    readonly leftOut: number;
    readonly first: readonly { readonly line: number; readonly reason: string }[];
  }[];
}

/** The last reading of each listing, its flaws, and the zone of its times. */
export function Listings({
  listings,
  mayMap,
  mutate,
}: {
  readonly listings: readonly Listing[];
  readonly mayMap: boolean;
  readonly mutate: Resource<unknown>["mutate"];
}) {
  if (listings.length === 0) return null;
  return (
    <section aria-labelledby="listings">
      <h2 id="listings">{say("listings-title")}</h2>
      {listings.map((one) => (
        <section key={one.id} class="card" aria-label={say("listings-one", { name: one.name })}>
          <h3>{one.name}</h3>
          <p>{readText(one)}</p>
          {one.failure === undefined ? null : (
            <p role="alert">
              {say("listings-unreadable", { at: atText(one.failure.at), reason: one.failure.text })}
            </p>
          )}
          {one.isPending ? <p role="status">{say("listings-pending")}</p> : null}
          <ul>
            {one.flaws.map(({ kind, count, leftOut, first }) => (
              <li key={kind}>
                {say("listings-flaw", { kind, count, leftOut })}
                <ul class="faint">
                  {first.map(({ line, reason }) => (
                    <li key={`${line} ${reason}`}>
                      {line === 0 ? reason : say("listings-line", { line, reason })}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
          {mayMap ? <ZoneChoice one={one} mutate={mutate} /> : null}
        </section>
      ))}
    </section>
  );
}

function ZoneChoice({
  one,
  mutate,
}: {
  readonly one: Listing;
  readonly mutate: Resource<unknown>["mutate"];
}) {
  const zone = useSignal(one.zone ?? "");
  const home = reader().timeZone;
  const zones = [...new Set([home, "UTC", ...Intl.supportedValuesOf("timeZone")])];
  return (
    <div class="buttons">
      <label>
        {say("listings-zone", { name: one.name })}
        <select {...bound(zone)}>
          <option value="">{say("listings-zone-stated")}</option>
          {zones.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      <ActionButton
        act={() =>
          mutate("PUT", `/v1/listings/${encodeURIComponent(one.id)}`, {
            zone: zone.value === "" ? null : zone.value,
          })
        }
        done={say("listings-zone-done", { name: one.name })}
      >
        {say("listings-zone-set")}
      </ActionButton>
    </div>
  );
}

function readText({ programmes, readAt, flaws }: Listing): string {
  if (readAt === undefined) return say("listings-unread");
  const flawed = flaws.reduce((sum, { count }) => sum + count, 0);
  return say("listings-read", { programmes, at: atText(readAt), flaws: flawed });
}

function atText(at: number): string {
  return reader().inside.at(at, now.value);
}
