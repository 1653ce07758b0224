import { useSignal } from "@preact/signals";
import { stationName, stations } from "../guide-data.ts";
import { Search } from "../parts/search.tsx";
import { reader, say } from "../state/language.ts";
import { Checks } from "./fields.tsx";

/** Chosen channels come first, and are listed even where the guide has lost them. */
export function ChannelChoice({
  chosen,
  onChoose,
}: {
  readonly chosen: readonly number[];
  readonly onChoose: (chosen: readonly number[]) => void;
}) {
  const text = useSignal("");
  const sought = text.value.trim().toLocaleLowerCase();
  const others = (stations.value ?? [])
    .filter(({ id, name }) => !chosen.includes(Number(id)) && name.toLocaleLowerCase().includes(sought))
    .map(({ id, name }) => [Number(id), name] as const);
  return (
    <details class="channel-choice">
      <summary>
        {say("rules-field-channels")}
        {": "}
        <strong>
          {chosen.length === 0 ? say("series-any-channel") : reader().list(chosen.map(stationName))}
        </strong>
      </summary>
      <Search label={say("rules-channels-find")} text={text} />
      <fieldset class="scrolled">
        <legend class="hidden">{say("rules-field-channels")}</legend>
        <Checks
          options={[...chosen.map((id) => [id, stationName(id)] as const), ...others]}
          chosen={chosen}
          onChoose={onChoose}
        />
      </fieldset>
    </details>
  );
}
