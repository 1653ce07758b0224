import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Quality, Rule } from "../../model/rule.ts";
import { boxes } from "../boxes.ts";
import { now } from "../clock.ts";
import { stationName } from "../guide-data.ts";
import { ActionButton } from "../parts/action.tsx";
import { BoxChoice } from "../parts/box-choice.tsx";
import { Chip } from "../parts/chip.tsx";
import { useConfirmation } from "../parts/confirm.tsx";
import { QualityChoice } from "../parts/quality-choice.tsx";
import type { Method } from "../state/api.ts";
import { reader, say } from "../state/language.ts";
import { ruleLine } from "./line.ts";
import type { Next } from "./next.ts";
import type { AiringsOrder } from "./orders.ts";

/** Sends a change of an order, and loads all of them again. @throws Refusal */
export type Mutate = (method: Method, path: string, body?: object) => Promise<void>;

/** One order of the list: its name, what it wants, and its next recording. */
function Row({
  name,
  chip,
  line,
  next,
  children,
}: {
  readonly name: string;
  readonly chip?: ComponentChildren;
  readonly line: string;
  /** Absent where it is unknown. */
  readonly next?: string;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <li class="card order" aria-labelledby={id}>
      <h2 id={id}>
        <bdi>{name}</bdi> {chip}
      </h2>
      <p>{line}</p>
      {next === undefined ? null : <p class="faint">{next}</p>}
      {children}
    </li>
  );
}

export function RuleRow({
  rule,
  next,
  mutate,
  onChange,
}: {
  readonly rule: Rule;
  readonly next: Next | undefined;
  readonly mutate: Mutate;
  readonly onChange: () => void;
}) {
  const { id, name, isPaused } = rule;
  const removal = useRemoval(name, () => mutate("DELETE", `/v1/rules/${id}`));
  return (
    <Row
      name={name}
      chip={isPaused ? <Chip tone="plain" mark="‖" text={say("rules-paused")} /> : null}
      line={ruleLine(rule, stationName)}
      next={nextText(next)}
    >
      <div class="buttons">
        <button type="button" onClick={onChange}>
          {say("confirm-opens", { label: say("rules-change") })}
        </button>
        {removal.button}
      </div>
      {removal.dialog}
    </Row>
  );
}

/** A series recording, or a keyword. */
export function AiringsRow({
  kind,
  name,
  order,
  path,
  next,
  mutate,
}: {
  readonly kind: "series" | "keyword";
  readonly name: string;
  readonly order: AiringsOrder;
  readonly path: string;
  readonly next?: string;
  readonly mutate: Mutate;
}) {
  const removal = useRemoval(name, () => mutate("DELETE", path));
  const quality = useSignal<Quality>(order.quality ?? "Prefer HD");
  const deviceId = useSignal(order.deviceId);
  const what = say(kind === "series" ? "series-recorded-hint" : "series-keywords-hint");
  return (
    <Row
      name={name}
      chip={<Chip tone="plain" text={say(`rules-kind-${kind}`)} />}
      line={`${what} ${airedText(order)}`}
      {...(next === undefined ? {} : { next })}
    >
      <details>
        <summary>{say("rules-change")}</summary>
        <div class="padding-fields">
          <QualityChoice value={quality.value} onChoose={(one) => (quality.value = one)} />
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
        </div>
      </details>
      <div class="buttons">{removal.button}</div>
      {removal.dialog}
    </Row>
  );
}

export function FavouriteRow({
  title,
  seriesId,
  mutate,
}: {
  readonly title: string;
  readonly seriesId: string;
  readonly mutate: Mutate;
}) {
  return (
    <Row
      name={title}
      chip={<Chip tone="plain" mark="★" text={say("rules-kind-favourite")} />}
      line={say("rules-favourite-line")}
    >
      <div class="buttons">
        <ActionButton
          act={() => mutate("DELETE", `/v1/series/favourites/${encodeURIComponent(seriesId)}`)}
          done={say("series-favourite-removed")}
        >
          {say("series-remove-favourite", { title })}
        </ActionButton>
      </div>
    </Row>
  );
}

export function nextText(next: Next | undefined): string {
  if (next === undefined) return say("rules-next-none");
  return say("rules-next", { at: reader().inside.at(next.start, now.value), channel: next.channel });
}

function useRemoval(name: string, act: () => Promise<void>) {
  return useConfirmation({
    label: say("series-stop"),
    question: say("series-stop-question", { name }),
    act,
    done: say("series-stopped", { name }),
    verb: say("series-stop"),
  });
}

/** The channel and the time of day that the order is for. */
function airedText({ channelId, startMinutes }: AiringsOrder): string {
  const channel = channelId === undefined ? say("series-any-channel") : stationName(channelId);
  if (startMinutes === undefined) return channel;
  return say("series-channel-about", { channel, time: reader().timeOfDay(startMinutes) });
}
