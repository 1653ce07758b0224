import { isTerminal, type Recording } from "../../model/recording.ts";
import { orderedBox } from "../boxes.ts";
import { now } from "../clock.ts";
import { byShow, type Show } from "../guide-data.ts";
import { placeOrder } from "../rules/orders.ts";
import { ask } from "../state/api.ts";
import { reader, say } from "../state/language.ts";
import { ActionButton } from "./action.tsx";

interface Booked {
  /** Names of its channels that no tuner receives. */
  readonly unreceived?: readonly string[];
}

/** The recording of a show that is still to come, or runs. */
export function openRecordingOf({ id }: Pick<Show, "id">): Recording | undefined {
  const recording = byShow.value.get(String(id));
  return recording === undefined || isTerminal(recording.state) ? undefined : recording;
}

function outcome({ unreceived = [] }: Booked, done: string): readonly [text: string, tone: "good" | "bad"] {
  if (unreceived.length === 0) return [done, "good"];
  return [say("show-unreceived", { names: reader().list(unreceived) }), "bad"];
}

/** Orders one show. On a small button, the icon stands for the words, which are still its name. */
export function RecordButton({ show, isSmall = false, isSkipped = false }: Order) {
  return (
    <ActionButton
      {...(isSmall
        ? { kind: "quick-order", name: say("show-record-it", { title: show.title }) }
        : { kind: "primary" })}
      isSkipped={isSkipped}
      isDone={openRecordingOf(show) !== undefined}
      act={() => ask<Booked>("POST", "/v1/timers", { showId: show.id, ...orderedBox() })}
      done={(booked) => outcome(booked, say("show-booked"))}
    >
      {isSmall ? <OrderIcon /> : say("show-record")}
    </ActionButton>
  );
}

/** Orders the series of a show. */
export function SeriesButton({ show, isSmall = false, isSkipped = false }: Order) {
  const { seriesId } = show.programme;
  if (seriesId === undefined) return null;
  return (
    <ActionButton
      {...(isSmall ? { kind: "quick-order", name: say("show-series-of", { title: show.title }) } : {})}
      isSkipped={isSkipped}
      act={() => placeOrder<Booked>("/v1/series/recordings", { seriesId, ...orderedBox() })}
      done={(booked) => outcome(booked, say("show-series-booked"))}
    >
      {isSmall ? <OrderIcon isSeries /> : say("show-series")}
    </ActionButton>
  );
}

/** Small buttons beside a show in a list: its recording needs no dialog. */
export function QuickOrders({ show, isSkipped = false }: Omit<Order, "isSmall">) {
  if (show.stop <= now.value) return null;
  return (
    <span class="quick-orders">
      <SeriesButton show={show} isSmall isSkipped={isSkipped} />
      <RecordButton show={show} isSmall isSkipped={isSkipped} />
    </span>
  );
}

interface Order {
  readonly show: Show;
  readonly isSmall?: boolean;
  /** The Tab key passes it. */
  readonly isSkipped?: boolean;
}

/** A record mark; for a series, one of several. */
function OrderIcon({ isSeries = false }: { readonly isSeries?: boolean }) {
  return (
    <svg viewBox="0 0 24 24" class="icon order-icon" aria-hidden="true">
      <circle cx={isSeries ? 15 : 12} cy="12" r="6" />
      {isSeries ? <path d="M9 6.5a6 6 0 0 0 0 11M5 6.5a6 6 0 0 0 0 11" /> : null}
    </svg>
  );
}
