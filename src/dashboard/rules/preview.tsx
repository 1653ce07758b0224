import { now } from "../clock.ts";
import { stationName } from "../guide-data.ts";
import { Chip } from "../parts/chip.tsx";
import { reader, say } from "../state/language.ts";
import { durationText, sizeText } from "../words.ts";
import { countText, fateMark, lacksSpace, type MatchLine, matchDays, reasonText } from "./matches.ts";
import { mistakeOf } from "./mistakes.ts";
import type { Displaced, Preview } from "./shapes.ts";
import type { Previewed } from "./use-preview.ts";

/** Shows below the fields of a rule what it would do. */
export function PreviewPart({
  of: { preview, failure, isAwaited },
  looks,
  isPaused,
}: {
  readonly of: Previewed;
  /** Whether the rule looks for anything yet. */
  readonly looks: boolean;
  readonly isPaused: boolean;
}) {
  const sentence = !looks
    ? say("rules-preview-start")
    : preview === undefined
      ? isAwaited && say("rules-preview-looking")
      : countText(preview, isPaused);
  return (
    <section class="preview" aria-labelledby="preview-title" aria-busy={isAwaited}>
      <h3 id="preview-title">{say("rules-preview")}</h3>
      <p role="status">
        <strong>{sentence}</strong>
      </p>
      {failure === undefined || mistakeOf(failure) !== undefined ? null : (
        <p class="bad-text" role="alert">
          {failure instanceof Error ? failure.message : String(failure)}
        </p>
      )}
      {preview === undefined ? null : (
        <>
          <Excess of={preview} />
          <Matches of={preview} />
        </>
      )}
    </section>
  );
}

/** The cost of the rule for others, and what it does not get itself. */
export function Excess({ of: preview }: { readonly of: Preview }) {
  const { displaced = [], unplaced = [], unidentified, needsBytes, freeBytes } = preview;
  return (
    <>
      {unidentified === 0 ? null : <p>{say("rules-preview-unidentified", { count: unidentified })}</p>}
      <Items
        title={say("rules-preview-displaced")}
        items={displaced.map((one) => [one.timerId, lossText(one)])}
      />
      <Items
        title={say("rules-preview-unplaced")}
        items={unplaced.map(({ showId, title, start }) => [
          String(showId),
          say("rules-preview-at", { title, at: reader().inside.at(start, now.value) }),
        ])}
      />
      {needsBytes === undefined || freeBytes === undefined || needsBytes === 0 ? null : (
        <p class={lacksSpace(preview) ? "bad-text" : "faint"}>
          {say(lacksSpace(preview) ? "rules-preview-no-space" : "rules-preview-space", {
            needs: sizeText(needsBytes),
            free: sizeText(freeBytes),
          })}
        </p>
      )}
    </>
  );
}

function lossText({ title, start, stop, lostMs }: Displaced): string {
  const when = reader().inside.when({ start, stop }, now.value);
  return lostMs >= stop - start
    ? say("rules-preview-loses-all", { title, when })
    : say("rules-preview-loses", { title, when, lost: durationText(lostMs) });
}

function Items({
  title,
  items,
}: {
  readonly title: string;
  readonly items: readonly (readonly [key: string, text: string])[];
}) {
  if (items.length === 0) return null;
  return (
    <div class="excess">
      <p>{title}</p>
      <ul>
        {items.map(([key, text]) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

function Matches({ of: preview }: { readonly of: Preview }) {
  const { matches, total } = preview;
  return (
    <>
      {total > matches.length ? (
        <p class="faint">{say("rules-preview-first", { count: matches.length })}</p>
      ) : null}
      <section class="match-days" aria-label={say("rules-preview-list")}>
        {matchDays(preview, now.value).map(({ day, lines }) => (
          <div key={day}>
            <h4>{day}</h4>
            <ul>
              {lines.map((line) => (
                <Match key={line.showId} line={line} />
              ))}
            </ul>
          </div>
        ))}
      </section>
    </>
  );
}

function Match({ line }: { readonly line: MatchLine }) {
  const { title, subtitle, channelId, fate } = line;
  return (
    <li>
      <span class="match-what">
        <strong>
          <bdi>{title}</bdi>
        </strong>{" "}
        <bdi>{subtitle}</bdi>
      </span>
      <Chip {...fateMark(fate)} />
      <span class="faint">
        {reader().span(line)} · {stationName(channelId)}
      </span>
      <span class="faint">{reasonText(line)}</span>
    </li>
  );
}
