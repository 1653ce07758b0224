import { useSignal } from "@preact/signals";
import { now } from "../clock.ts";
import type { Resource } from "../resource.ts";
import { clockText, dayText } from "../words.ts";
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
      <h2 id="listings">Listings</h2>
      {listings.map((one) => (
        <section key={one.id} class="card" aria-label={`Listing ${one.name}`}>
          <h3>{one.name}</h3>
          <p>{readText(one)}</p>
          {one.failure === undefined ? null : (
            <p role="alert">
              Not readable since {atText(one.failure.at)}; its previous content counts: {one.failure.text}
            </p>
          )}
          {one.isPending ? <p role="status">It is being read again. Look again in a moment.</p> : null}
          <ul>
            {one.flaws.map(({ kind, count, leftOut, first }) => (
              <li key={kind}>
                {count} times{leftOut === 0 ? "" : `, ${leftOut} left out`}:{" "}
                {first.map(({ line, reason }) => `line ${line}, ${reason}`).join("; ")}
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
  const home = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set([home, "UTC", ...Intl.supportedValuesOf("timeZone")])];
  return (
    <div class="buttons">
      <label>
        Times of {one.name}
        <select {...bound(zone)}>
          <option value="">as they state</option>
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
        done={`${one.name} is being read with this zone.`}
      >
        Read it so
      </ActionButton>
    </div>
  );
}

function readText({ programmes, readAt, flaws }: Listing): string {
  if (readAt === undefined) return "It has not been read yet.";
  const flawed = flaws.reduce((sum, { count }) => sum + count, 0);
  const what = flawed === 0 ? "no flaws" : `${flawed} flaws`;
  return `${programmes} programmes, read ${atText(readAt)}; ${what}.`;
}

function atText(at: number): string {
  return `${dayText(at, now.value)} ${clockText(at)}`;
}
