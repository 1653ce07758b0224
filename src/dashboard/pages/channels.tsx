import { useSignal } from "@preact/signals";
import { now } from "../clock.ts";
import { ActionButton } from "../parts/action.tsx";
import { bound } from "../parts/bound.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { type Listing, Listings } from "../parts/listings.tsx";
import { LongList } from "../parts/long-list.tsx";
import { type Resource, useResource } from "../resource.ts";
import { reader, say } from "../state/language.ts";

/** The ways in which the guide server matches a channel of a listing, and the keys of their words. */
const MATCHED_BY = {
  table: "channels-by-table",
  before: "channels-by-before",
  triplet: "channels-by-triplet",
  name: "channels-by-name",
  "short name": "channels-by-short-name",
  "known name": "channels-by-known-name",
  lcn: "channels-by-lcn",
  new: "channels-by-new",
  ignored: "channels-by-ignored",
  taken: "channels-by-taken",
} as const;

/** An entry of `listed` in `/v1/channels`. */
interface ListingChannel {
  readonly id: string;
  readonly rank: number;
  readonly name: string;
  readonly by: keyof typeof MATCHED_BY;
  readonly channelId?: number;
  readonly note?: string;
  readonly mapping?: string;
  readonly isPending: boolean;
}

interface Channel {
  readonly id: number;
  readonly name: string;
  readonly regionId?: number;
  readonly lcns: string;
  readonly triplets: readonly string[];
  readonly until?: number;
}

interface Channels {
  readonly mayMap: boolean;
  readonly regions: readonly { readonly id: number; readonly name: string }[];
  readonly channels: readonly Channel[];
  readonly listed: readonly ListingChannel[];
  readonly listings: readonly Listing[];
}

const ROW_PX = 76;

/** The channels of the guide, their sources, and the unmatched channels of both sides. */
export function ChannelsPage() {
  const { value, failure, mutate } = useResource<Channels>("/v1/channels");
  const chosen = useSignal<string | undefined>(undefined);
  const text = useSignal("");
  if (failure !== "") return <p role="status">{failure}</p>;
  if (value === undefined) return <p class="faint">{say("frame-loading")}</p>;
  const { regions, channels, listed, listings, mayMap } = value;
  const fed = new Set(listed.map(({ channelId }) => channelId));
  const wanted = text.value.trim().toLowerCase();
  const matches = (...words: readonly string[]) => words.join(" ").toLowerCase().includes(wanted);
  const unmatched = listed.filter((one) => isOpen(one) && matches(one.id, one.name));
  const regionName = (id: number | undefined) => regions.find((one) => one.id === id)?.name ?? "";
  const shown = channels
    .filter((one) => matches(one.name, one.lcns, ...feedsOf(one, listed).map(({ id }) => id)))
    .toSorted((a, b) => (a.regionId ?? 0) - (b.regionId ?? 0) || numberOf(a) - numberOf(b) || a.id - b.id);
  const one = listed.find((each) => keyOf(each) === chosen.value);
  return (
    <>
      <div class="bar-of-page">
        <h1>{say("nav-channels")}</h1>
        <input
          type="search"
          aria-label={say("channels-search")}
          placeholder={say("channels-search")}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
      </div>
      <p class="faint" role="status">
        {say("channels-count", {
          count: shown.length,
          unmatched: unmatched.length,
          bare: channels.filter(({ id }) => !fed.has(id)).length,
        })}
      </p>
      <Listings listings={listings} mayMap={mayMap} mutate={mutate} />
      {unmatched.length === 0 ? null : (
        <section aria-labelledby="unmatched">
          <h2 id="unmatched">{say("channels-unmatched")}</h2>
          <LongList
            label={say("channels-unmatched-list")}
            items={unmatched}
            rowPx={ROW_PX}
            keyOf={keyOf}
            row={(each) => (
              <button type="button" class="line" onClick={() => (chosen.value = keyOf(each))}>
                <span class="line-main">
                  <strong dir="auto">{each.name}</strong>
                  <span class="faint">{each.id}</span>
                  <span class="faint message">{whyText(each)}</span>
                </span>
              </button>
            )}
          />
        </section>
      )}
      <section aria-labelledby="of-the-guide">
        <h2 id="of-the-guide">{say("channels-in-guide")}</h2>
        <LongList
          label={say("channels-in-guide-list")}
          items={shown}
          rowPx={ROW_PX}
          keyOf={({ id }) => String(id)}
          row={(channel) => (
            <ChannelRow
              channel={channel}
              region={regions.length > 1 ? regionName(channel.regionId) : ""}
              feeds={feedsOf(channel, listed)}
              onChoose={(each) => (chosen.value = keyOf(each))}
            />
          )}
        />
      </section>
      {one === undefined ? null : (
        <MappingDialog all={value} one={one} mutate={mutate} onClose={() => (chosen.value = undefined)} />
      )}
    </>
  );
}

function ChannelRow({
  channel: { name, lcns, triplets, until },
  region,
  feeds,
  onChoose,
}: {
  readonly channel: Channel;
  readonly region: string;
  readonly feeds: readonly ListingChannel[];
  readonly onChoose: (one: ListingChannel) => void;
}) {
  const programmes =
    until === undefined
      ? say("channels-no-programmes")
      : say("channels-until", { at: reader().inside.at(until, now.value) });
  return (
    <div class="line">
      <span class="line-main">
        <strong dir="auto">{name}</strong>
        <span class="faint">
          {[
            region,
            lcns === "" ? "" : say("channels-number", { number: lcns }),
            triplets.join(", ") || say("channels-no-triplet"),
          ]
            .filter((part) => part !== "")
            .join(" · ")}
        </span>
        <span class="faint message">{programmes}</span>
      </span>
      <span class="line-side">
        {feeds.length === 0 ? <span class="faint">{say("channels-no-listing")}</span> : null}
        {feeds.map((each) => (
          <button key={keyOf(each)} type="button" class="quiet" onClick={() => onChoose(each)}>
            {each.id} · {say(MATCHED_BY[each.by])}
          </button>
        ))}
      </span>
    </div>
  );
}

function MappingDialog({
  all: { mayMap, channels },
  one,
  mutate,
  onClose,
}: {
  readonly all: Channels;
  readonly one: ListingChannel;
  readonly mutate: Resource<Channels>["mutate"];
  readonly onClose: () => void;
}) {
  const target = useSignal(one.mapping ?? "");
  const channel = channels.find(({ id }) => id === one.channelId);
  const map = (wanted: string | null) =>
    mutate("PUT", `/v1/channels/mappings/${encodeURIComponent(one.id)}`, { target: wanted });
  return (
    <Dialog title={one.name} onClose={onClose}>
      <Facts
        of={[
          [say("channels-listed-as"), one.id],
          [say("channels-is"), channel?.name],
          [say("channels-matched"), say(MATCHED_BY[one.by])],
          [say("channels-note"), one.note],
          [say("channels-set"), one.mapping],
        ]}
      />
      {one.isPending ? <p role="status">{say("channels-pending")}</p> : null}
      {mayMap ? (
        <>
          <div class="padding-fields">
            <label>
              {say("channels-target")}
              <select
                value={/^channel \d+$/.test(target.value) ? target.value : ""}
                onChange={({ currentTarget }) => {
                  target.value = currentTarget.value;
                }}
              >
                <option value="">…</option>
                {channels.map(({ id, name }) => (
                  <option key={id} value={`channel ${id}`}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {say("channels-target-text")}
              <input maxLength={300} placeholder="0x1010/0x0221/0x0220" {...bound(target)} />
            </label>
          </div>
          <div class="buttons">
            <ActionButton kind="primary" act={() => map(target.value)} done={say("channels-used")}>
              {say("channels-use")}
            </ActionButton>
            {one.mapping === undefined ? null : (
              <ActionButton act={() => map(null)} done={say("channels-automatic-done")}>
                {say("channels-automatic")}
              </ActionButton>
            )}
          </div>
        </>
      ) : (
        <p class="faint">{say("channels-owners-only")}</p>
      )}
    </Dialog>
  );
}

function keyOf({ rank, id }: ListingChannel): string {
  return `${rank} ${id}`;
}

function feedsOf({ id }: Channel, listed: readonly ListingChannel[]): readonly ListingChannel[] {
  return listed.filter(({ channelId }) => channelId === id);
}

/** Whether the channel needs attention: its match is uncertain, or it feeds nothing and nobody has confirmed that. */
function isOpen({ by, note, mapping }: ListingChannel): boolean {
  if (by === "taken" || (by === "ignored" && mapping === undefined)) return true;
  // Recorders find the service of a new channel without a triplet by its name or number.
  return (by === "new" || by === "ignored") && note !== undefined;
}

/** The note is technical and in English. */
function whyText({ by, note, isPending }: ListingChannel): string {
  if (isPending) return say("channels-pending");
  return note ?? say(MATCHED_BY[by]);
}

function numberOf({ lcns }: Channel): number {
  const [first = ""] = lcns.split(",");
  return /^\d+$/.test(first) ? Number(first) : Number.MAX_SAFE_INTEGER;
}
