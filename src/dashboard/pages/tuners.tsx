import type { Snapshot, TunerStatus } from "../../model/snapshot.ts";
import type { SpaceFacts } from "../../model/space.ts";
import { now } from "../clock.ts";
import { ChannelsCard } from "../parts/channels-card.tsx";
import { Chip } from "../parts/chip.tsx";
import { Empty } from "../parts/empty.tsx";
import { type Fact, Facts } from "../parts/facts.tsx";
import { kindName } from "../parts/setup-words.ts";
import { roomHours, spaceMark } from "../space-words.ts";
import { reader, say } from "../state/language.ts";
import { view } from "../state/live.ts";
import { detailLink, GUIDE_SERVICE_LINK } from "../state/place.ts";
import { nodeStateText, tunerStateText } from "../tuner-words.ts";
import { dayText, sizeText, type Tone, troubleText } from "../words.ts";
import { signInWords } from "./guide-service.tsx";

const STATES: Readonly<Record<TunerStatus["state"], { readonly tone: Tone; readonly mark: string }>> = {
  free: { tone: "plain", mark: "○" },
  tuning: { tone: "busy", mark: "◌" },
  receiving: { tone: "busy", mark: "●" },
  lent: { tone: "planned", mark: "◐" },
};

/** Tuners with their reception, the disk, and the state of the recorder. */
export function TunersPage() {
  const snapshot = view.value;
  if (snapshot === undefined) return null;
  const { space } = snapshot.facts;
  return (
    <>
      <div class="bar-of-page">
        <h1>{say("tuners-title")}</h1>
      </div>
      {snapshot.tuners.size > 0 ? null : (
        <Empty title={say("tuners-empty")}>{say("tuners-empty-next")}</Empty>
      )}
      <div class="cards">
        {[...snapshot.tuners.values()].map((tuner) => (
          <Tuner key={tuner.id} tuner={tuner} />
        ))}
        <ChannelsCard />
        {space === undefined ? null : <Disk space={space} />}
        <Nodes nodes={snapshot.facts.nodes ?? []} />
        <Daemon facts={snapshot.facts} />
      </div>
    </>
  );
}

function atText(at: number): string {
  return reader().at(at, now.value);
}

function Tuner({ tuner }: { readonly tuner: TunerStatus }) {
  const { id, kind, state, multiplex, recordings, heldUntil, reception, trouble, quarantine, health } = tuner;
  const isDrained = tuner.isDrained === true;
  return (
    <section class="card" aria-labelledby={`tuner-${id}`}>
      <h2 id={`tuner-${id}`}>{id}</h2>
      <p class="chips">
        {quarantine === undefined ? null : <Chip tone="bad" mark="✕" text={tunerStateText(tuner)} />}
        {isDrained ? <Chip tone="planned" mark="◇" text={say("tuners-drained")} /> : null}
        {(quarantine !== undefined || isDrained) && state === "free" ? null : (
          <Chip {...STATES[state]} text={tunerStateText({ state })} />
        )}
      </p>
      <ul>
        {recordings.map((recordingId) => (
          <li key={recordingId}>
            <a href={detailLink(recordingId)}>
              <bdi>{view.value?.recordings.get(recordingId)?.name ?? recordingId}</bdi>
            </a>
          </li>
        ))}
      </ul>
      <Facts
        of={[
          [say("tuners-kind"), kindName(kind)],
          [say("tuners-multiplex"), multiplex],
          [say("tuners-held"), heldUntil === undefined ? undefined : atText(heldUntil)],
          ...(reception === undefined ? [] : receptionFacts(reception)),
          [
            say("tuners-trouble"),
            trouble === undefined
              ? undefined
              : say("tuners-trouble-at", { what: troubleText(trouble), at: atText(trouble.at) }),
          ],
          [say("tuners-out-since"), quarantine === undefined ? undefined : atText(quarantine.since)],
          [say("tuners-next-try"), quarantine === undefined ? undefined : atText(quarantine.triedAgainAt)],
        ]}
      />
      {health.length === 0 ? null : <Reception health={health} />}
    </section>
  );
}

/** The machines of a fleet; a recorder on its own has no card. */
function Nodes({ nodes }: { readonly nodes: NonNullable<Snapshot["nodes"]> }) {
  if (nodes.length === 0) return null;
  return (
    <section class="card" aria-labelledby="nodes-title">
      <h2 id="nodes-title">{say("nodes-title")}</h2>
      <Facts of={nodes.map((node): Fact => [node.name, `${nodeStateText(node)} · ${node.version}`])} />
    </section>
  );
}

function Reception({ health }: Pick<TunerStatus, "health">) {
  return (
    <table>
      <caption>{say("tuners-received")}</caption>
      <thead>
        <tr>
          <th scope="col">{say("tuners-multiplex")}</th>
          <th scope="col">{say("tuners-failed")}</th>
          <th scope="col">{say("tuners-lock")}</th>
          <th scope="col">{say("tuners-errors")}</th>
        </tr>
      </thead>
      <tbody>
        {health.map(({ multiplex: key, tries, failures, lockMs, errorsPerMillion = 0 }) => (
          <tr key={key}>
            <th scope="row">{key}</th>
            <td>{say("tuners-failed-of", { failures: Math.round(failures), tries: Math.round(tries) })}</td>
            <td>{lockMs === undefined ? "" : reader().precise(lockMs)}</td>
            <td>{say("tuners-per-million", { count: Math.round(errorsPerMillion) })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function receptionFacts(reception: NonNullable<TunerStatus["reception"]>): readonly Fact[] {
  const { isLocked, strengthDbm, strengthPercent, snrDb, qualityPercent, uncorrectedBlocks } = reception;
  const { percent, number } = reader();
  const share = (value: number) => percent(Math.round(value) / 100);
  return [
    [
      say("tuners-signal"),
      isLocked === undefined ? undefined : isLocked ? say("tuners-signal-locked") : say("tuners-signal-none"),
    ],
    [
      say("tuners-strength"),
      strengthDbm === undefined
        ? optional(strengthPercent, share)
        : say("tuners-dbm", { value: strengthDbm }),
    ],
    [say("tuners-snr"), optional(snrDb, (value) => say("tuners-db", { value }))],
    [say("tuners-quality"), optional(qualityPercent, share)],
    [say("tuners-blocks"), optional(uncorrectedBlocks, number)],
  ];
}

function optional(value: number | undefined, text: (value: number) => string): string | undefined {
  return value === undefined ? undefined : text(value);
}

function Disk({ space }: { readonly space: SpaceFacts }) {
  const { level, freeBytes, totalBytes, reservedBytes } = space;
  const usedShare = totalBytes === 0 ? 0 : (totalBytes - freeBytes) / totalBytes;
  const reservedShare = totalBytes === 0 ? 0 : Math.min(reservedBytes, freeBytes) / totalBytes;
  return (
    <section class="card" aria-labelledby="disk-title">
      <h2 id="disk-title">{say("tuners-disk")}</h2>
      <p class="chips">
        <Chip {...spaceMark(space)} />
      </p>
      <div class="meter" aria-hidden="true">
        <span class="used" style={{ width: `${100 * usedShare}%` }} />
        <span class="reserved" style={{ width: `${100 * reservedShare}%` }} />
      </div>
      {level === "offline" ? null : (
        <Facts
          of={[
            [say("tuners-space-left"), say("tuners-space-hours", { hours: roomHours(space) })],
            [
              say("tuners-free"),
              say("tuners-free-of", { free: sizeText(freeBytes), total: sizeText(totalBytes) }),
            ],
            [say("tuners-planned"), sizeText(reservedBytes)],
            [say("tuners-full"), level === "full" ? undefined : fullText(space)],
          ]}
        />
      )}
    </section>
  );
}

function fullText({ fills }: SpaceFacts): string {
  if (fills === undefined) return say("tuners-full-never");
  return fills.by === "plan"
    ? say("tuners-full-plan", { at: atText(fills.at) })
    : say("tuners-full-pace", { day: dayText(fills.at, now.value) });
}

function Daemon({ facts }: { readonly facts: Omit<Snapshot, "recordings" | "tuners" | "plan"> }) {
  const { version, startedAt, guide, clock, nextWakeAt, store, site } = facts;
  return (
    <section class="card" aria-labelledby="daemon-title">
      <h2 id="daemon-title">{say("tuners-recorder")}</h2>
      <Facts
        of={[
          [say("tuners-version"), version],
          [say("tuners-since"), atText(startedAt)],
          [
            say("tuners-timers"),
            guide.lastGoodAt === undefined ? say("tuners-timers-never") : atText(guide.lastGoodAt),
          ],
          [say("tuners-reports"), reader().number(guide.reportsWaiting)],
          [say("tuners-clock"), clock.trusted ? say("tuners-clock-right") : say("tuners-clock-unsure")],
          [say("tuners-awake"), nextWakeAt === undefined ? undefined : atText(nextWakeAt)],
          [say("tuners-data"), store?.text],
        ]}
      />
      <p>
        <a href={GUIDE_SERVICE_LINK}>{say("more-guide-service")}</a> <Chip {...signInWords(guide)} />
      </p>
      {site === undefined || site.announcements.length === 0 ? null : (
        <ul>
          {site.announcements.map(({ id, title }) => (
            <li key={id}>{title}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
