import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { boxes, loadBoxes, orderedBox } from "../boxes.ts";
import { loadStations, stationName } from "../guide-data.ts";
import { ActionButton } from "../parts/action.tsx";
import { bound } from "../parts/bound.ts";
import { BoxChoice } from "../parts/box-choice.tsx";
import { useConfirmation } from "../parts/confirm.tsx";
import { ask, type Method } from "../state/api.ts";
import { say } from "../state/language.ts";
import { clockText } from "../words.ts";

/** An order in `/v1/series`; an absent field means any. */
interface Order {
  readonly id: number;
  readonly deviceId: number;
  readonly channelId?: number;
  readonly startMinutes?: number;
  readonly quality?: string;
}

interface Orders {
  readonly recordings: readonly (Order & { readonly seriesId: string; readonly title: string })[];
  readonly keywords: readonly (Order & { readonly keyword: string })[];
  readonly favourites: readonly { readonly seriesId: string; readonly title: string }[];
}

/** The qualities of the guide service, with the keys of their words. */
const QUALITIES = [
  ["Prefer HD", "series-prefer-hd"],
  ["HD Only", "series-hd-only"],
  ["Prefer SD", "series-prefer-sd"],
  ["SD Only", "series-sd-only"],
] as const;

/** Series recordings, keywords and favourites. */
export function SeriesPage() {
  const orders = useSignal<Orders | undefined>(undefined);
  const failure = useSignal("");
  const keyword = useSignal("");

  async function load(): Promise<void> {
    try {
      await Promise.all([loadStations(), loadBoxes()]);
      orders.value = await ask<Orders>("GET", "/v1/series");
      failure.value = "";
    } catch (error) {
      failure.value = error instanceof Error ? error.message : String(error);
    }
  }
  useEffect(() => void load(), []);

  async function mutate(method: Method, path: string, body?: object): Promise<void> {
    await ask(method, `/v1/series/${path}`, body);
    await load();
  }

  if (failure.value !== "") return <p role="status">{failure.value}</p>;
  const { value } = orders;
  return (
    <>
      <div class="bar-of-page">
        <h1>{say("series-title")}</h1>
      </div>
      {value === undefined ? (
        <p class="faint">{say("frame-loading")}</p>
      ) : (
        <div class="cards">
          <section class="card" aria-labelledby="series-recorded">
            <h2 id="series-recorded">{say("series-recorded")}</h2>
            <p class="faint">{say(value.recordings.length === 0 ? "series-none" : "series-recorded-hint")}</p>
            {value.recordings.map((one) => (
              <Rule key={one.id} name={one.title} order={one} path={`recordings/${one.id}`} mutate={mutate} />
            ))}
          </section>
          <section class="card" aria-labelledby="series-keywords">
            <h2 id="series-keywords">{say("series-keywords")}</h2>
            <p class="faint">{say("series-keywords-hint")}</p>
            {value.keywords.map((one) => (
              <Rule key={one.id} name={one.keyword} order={one} path={`keywords/${one.id}`} mutate={mutate} />
            ))}
            <div class="padding-fields">
              <label>
                {say("series-words")}
                <input maxLength={200} {...bound(keyword)} />
              </label>
              <BoxChoice />
              <ActionButton
                act={async () => {
                  await mutate("POST", "keywords", { keyword: keyword.value, ...orderedBox() });
                  keyword.value = "";
                }}
                done={say("series-keyword-added")}
              >
                {say("series-add")}
              </ActionButton>
            </div>
          </section>
          <section class="card" aria-labelledby="series-favourites">
            <h2 id="series-favourites">{say("series-favourites")}</h2>
            {value.favourites.length === 0 ? <p class="faint">{say("series-no-favourites")}</p> : null}
            <ul>
              {value.favourites.map(({ seriesId, title }) => (
                <li key={seriesId}>
                  {title}{" "}
                  <ActionButton
                    act={() => mutate("DELETE", `favourites/${encodeURIComponent(seriesId)}`)}
                    done={say("series-favourite-removed")}
                  >
                    {say("series-remove-favourite", { title })}
                  </ActionButton>
                </li>
              ))}
            </ul>
          </section>
        </div>
      )}
    </>
  );
}

function Rule({
  name,
  order,
  path,
  mutate,
}: {
  readonly name: string;
  readonly order: Order;
  readonly path: string;
  readonly mutate: (method: Method, path: string, body?: object) => Promise<void>;
}) {
  const removal = useConfirmation({
    label: say("series-stop"),
    question: say("series-stop-question", { name }),
    act: () => mutate("DELETE", path),
    done: say("series-stopped", { name }),
    verb: say("series-stop"),
  });
  const quality = useSignal(order.quality ?? "Prefer HD");
  const deviceId = useSignal(order.deviceId);
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      <p class="faint">{airedText(order)}</p>
      <div class="padding-fields">
        <label>
          {say("series-quality")}
          <select {...bound(quality)}>
            {QUALITIES.map(([code, key]) => (
              <option key={code} value={code}>
                {say(key)}
              </option>
            ))}
          </select>
        </label>
        <BoxChoice value={deviceId.value} onChoose={(id) => (deviceId.value = id)} />
        <ActionButton
          act={() =>
            mutate("PUT", path, {
              quality: quality.value,
              ...(boxes.value.length === 0 ? {} : { deviceId: deviceId.value }),
            })
          }
          done={say("series-saved")}
        >
          {say("series-save")}
        </ActionButton>
        {removal.button}
      </div>
      {removal.dialog}
    </section>
  );
}

/** The channel and the time of day that the rule is for. */
function airedText({ channelId, startMinutes }: Order): string {
  const channel = channelId === undefined ? say("series-any-channel") : stationName(channelId);
  if (startMinutes === undefined) return channel;
  // A time of day, on any day without a change of the clock.
  const time = clockText(new Date(2026, 0, 1, 0, startMinutes).getTime());
  return say("series-channel-about", { channel, time });
}
