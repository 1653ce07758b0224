import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Rule } from "../../model/rule.ts";
import { loadBoxes } from "../boxes.ts";
import { loadStations, stationName } from "../guide-data.ts";
import { Empty, GUIDE_LINKS } from "../parts/empty.tsx";
import { type NextByOrder, type NextTimer, nextOfRecordings, nextOfTimers, orderKey } from "../rules/next.ts";
import { loadOrders, type Order, type Orders, orderCount } from "../rules/orders.ts";
import { AiringsRow, FavouriteRow, type Mutate, nextText, RuleRow } from "../rules/rows.tsx";
import { RuleDialog } from "../rules/rule-dialog.tsx";
import { ask, session } from "../state/api.ts";
import { say, sayWith } from "../state/language.ts";
import { returnCount, view } from "../state/live.ts";

/** Rules, series recordings, keywords and favourites, in one list. */
export function SeriesPage() {
  const orders = useSignal<Orders | undefined>(undefined);
  const failure = useSignal("");
  const timers = useSignal<readonly NextTimer[]>([]);
  /** `new`, or the rule to change. */
  const edited = useSignal<"new" | Rule | undefined>(undefined);
  const isServer = session.value?.guideServer !== undefined;

  async function load(): Promise<void> {
    try {
      await Promise.all([loadStations(), loadBoxes()]);
      orders.value = await loadOrders();
      if (isServer) timers.value = await ask<readonly NextTimer[]>("GET", "/v1/timers/next");
      failure.value = "";
    } catch (error) {
      failure.value = error instanceof Error ? error.message : String(error);
    }
  }
  useEffect(() => void load(), [orderCount.value, returnCount.value]);

  const mutate: Mutate = async (method, path, body) => {
    await ask(method, path, body);
    await load();
  };

  if (failure.value !== "") return <p role="status">{failure.value}</p>;
  const { value } = orders;
  const next = isServer
    ? nextOfTimers(timers.value, stationName)
    : nextOfRecordings(view.value?.recordings.values() ?? []);
  return (
    <>
      <div class="bar-of-page">
        <h1>{say("nav-rules")}</h1>
        {value?.hasRules ? (
          <button type="button" class="primary" onClick={() => (edited.value = "new")}>
            {say("rules-new")}
          </button>
        ) : null}
      </div>
      {value === undefined ? <p class="faint">{say("frame-loading")}</p> : null}
      {value?.failures.map((text) => (
        <p key={text} role="status">
          {text}
        </p>
      ))}
      {value?.list.length === 0 && value.failures.length === 0 ? (
        <Empty title={say("rules-empty")}>{sayWith(GUIDE_LINKS, "rules-empty-next")}</Empty>
      ) : null}
      <ul class="orders" aria-label={say("nav-rules")}>
        {value?.list.map((one) => (
          <OrderRow
            key={one.key}
            order={one}
            next={next}
            isServer={isServer}
            mutate={mutate}
            onChange={(rule) => (edited.value = rule)}
          />
        ))}
      </ul>
      {edited.value === undefined ? null : (
        <RuleDialog
          {...(edited.value === "new" ? {} : { rule: edited.value })}
          onSaved={load}
          onClose={() => (edited.value = undefined)}
        />
      )}
    </>
  );
}

function OrderRow({
  order: one,
  next,
  isServer,
  mutate,
  onChange,
}: {
  readonly order: Order;
  readonly next: NextByOrder;
  /** A recorder does not know what a keyword orders. */
  readonly isServer: boolean;
  readonly mutate: Mutate;
  readonly onChange: (rule: Rule) => void;
}) {
  const { name } = one;
  switch (one.kind) {
    case "rule": {
      const { rule } = one;
      return (
        <RuleRow
          rule={rule}
          next={next.get(orderKey.rule(rule.id))}
          mutate={mutate}
          onChange={() => onChange(rule)}
        />
      );
    }
    case "series": {
      const { order } = one;
      return (
        <AiringsRow
          kind="series"
          name={name}
          order={order}
          path={`/v1/series/recordings/${order.id}`}
          next={nextText(next.get(orderKey.series(order.seriesId)))}
          mutate={mutate}
        />
      );
    }
    case "keyword": {
      const { order } = one;
      return (
        <AiringsRow
          kind="keyword"
          name={name}
          order={order}
          path={`/v1/series/keywords/${order.id}`}
          {...(isServer ? { next: nextText(next.get(orderKey.keyword(order.id))) } : {})}
          mutate={mutate}
        />
      );
    }
    case "favourite":
      return <FavouriteRow title={name} seriesId={one.seriesId} mutate={mutate} />;
  }
}
