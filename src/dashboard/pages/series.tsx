import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { boxes, loadBoxes, orderedBox } from "../boxes.ts";
import { loadStations, stationName } from "../guide-data.ts";
import { ActionButton } from "../parts/action.tsx";
import { bound } from "../parts/bound.ts";
import { BoxChoice } from "../parts/box-choice.tsx";
import { useConfirmation } from "../parts/confirm.tsx";
import { ask, type Method } from "../state/api.ts";

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

const QUALITIES = ["Prefer HD", "HD Only", "Prefer SD", "SD Only"];

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
        <h1>Series</h1>
      </div>
      {value === undefined ? (
        <p class="faint">Asking the guide…</p>
      ) : (
        <div class="cards">
          <section class="card" aria-labelledby="series-recorded">
            <h2 id="series-recorded">Series with every episode recorded once</h2>
            {value.recordings.length === 0 ? (
              <p class="faint">None yet. Choose a show in the programme, and record its whole series.</p>
            ) : null}
            {value.recordings.map((one) => (
              <Rule key={one.id} name={one.title} order={one} path={`recordings/${one.id}`} mutate={mutate} />
            ))}
          </section>
          <section class="card" aria-labelledby="series-keywords">
            <h2 id="series-keywords">Keywords</h2>
            <p class="faint">Every show with all these words in its title is recorded, each episode once.</p>
            {value.keywords.map((one) => (
              <Rule key={one.id} name={one.keyword} order={one} path={`keywords/${one.id}`} mutate={mutate} />
            ))}
            <div class="padding-fields">
              <label>
                Words
                <input maxLength={200} {...bound(keyword)} />
              </label>
              <BoxChoice />
              <ActionButton
                act={async () => {
                  await mutate("POST", "keywords", { keyword: keyword.value, ...orderedBox() });
                  keyword.value = "";
                }}
                done="Keyword added."
              >
                Add
              </ActionButton>
            </div>
          </section>
          <section class="card" aria-labelledby="series-favourites">
            <h2 id="series-favourites">Favourites</h2>
            {value.favourites.length === 0 ? <p class="faint">None.</p> : null}
            <ul>
              {value.favourites.map(({ seriesId, title }) => (
                <li key={seriesId}>
                  {title}{" "}
                  <ActionButton
                    act={() => mutate("DELETE", `favourites/${encodeURIComponent(seriesId)}`)}
                    done="Favourite removed."
                  >
                    Remove {title}
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
    label: "Withdraw",
    question: "Withdraw it with its timers? Existing recordings stay.",
    act: () => mutate("DELETE", path),
    done: "Withdrawn.",
    verb: "Withdraw",
  });
  const quality = useSignal(order.quality ?? "Prefer HD");
  const deviceId = useSignal(order.deviceId);
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      <p class="faint">
        {order.channelId === undefined ? "any channel" : stationName(order.channelId)}
        {order.startMinutes === undefined ? "" : `, about ${timeText(order.startMinutes)}`}
      </p>
      <div class="padding-fields">
        <label>
          Quality
          <select {...bound(quality)}>
            {QUALITIES.map((one) => (
              <option key={one}>{one}</option>
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
          done="Changed."
        >
          Change
        </ActionButton>
        {removal.button}
      </div>
      {removal.dialog}
    </section>
  );
}

function timeText(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}
