import { useEffect, useRef } from "preact/hooks";
import type { SetupStep, SetupView } from "../../model/setup.ts";
import { SECOND } from "../../model/time.ts";
import { after } from "../clock.ts";
import { ActionButton } from "../parts/action.tsx";
import { Facts } from "../parts/facts.tsx";
import { Notice } from "../parts/notice.tsx";
import { LanguageChoice } from "../parts/preferences.tsx";
import { GuideStep, RecorderStep, RecordingsStep, UserStep } from "../parts/setup-steps.tsx";
import { TunersStep } from "../parts/setup-tuners.tsx";
import { kindName } from "../parts/setup-words.ts";
import { reader, say } from "../state/language.ts";
import { finish, isWritten, loadSetup, setup, step, stepsOf } from "../state/setup.ts";
import { durationText, sizeText } from "../words.ts";

const AGAIN_MS = 2000;

function load(): void {
  loadSetup().catch(() => after(AGAIN_MS, load));
}

/** Setup of a recorder without configuration: one question after another, each answer tested, then the recorder. */
export function SetupPage() {
  useEffect(() => {
    document.title = `${say("setup-page")} · recorderd`;
    load();
  }, []);
  const { value } = setup;
  return (
    <main class="setup">
      <div class="bar-of-page">
        <h1>{say("setup-title")}</h1>
        <LanguageChoice />
      </div>
      {isWritten.value ? (
        <p role="status">{say("setup-starting")}</p>
      ) : value === undefined ? (
        <p class="faint">{say("frame-loading")}</p>
      ) : (
        <Questions view={value} />
      )}
      <Notice />
    </main>
  );
}

function Questions({ view }: { readonly view: SetupView }) {
  const here = step.value;
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // Announces each next step to screen readers; the first step starts at the top of the page.
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
  }, [here]);
  const firstOpen = view.missing[0];
  const steps = stepsOf(view);
  const reached = firstOpen === undefined ? steps.length : steps.indexOf(firstOpen);
  return (
    <>
      <nav aria-label={say("setup-steps")}>
        <ol class="steps">
          {[...steps, "check" as const].map((one, at) => (
            <li key={one}>
              <button
                type="button"
                disabled={at > reached}
                onClick={() => (step.value = one)}
                {...(one === here ? { "aria-current": "step" as const } : {})}
              >
                <span aria-hidden="true">{at < reached && one !== here ? "✓" : at + 1}</span>{" "}
                {say(`setup-step-${one}`)}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      <section class="card" aria-labelledby="step-title">
        <h2 id="step-title" tabIndex={-1} ref={heading}>
          {say(`setup-step-${here}`)}
        </h2>
        <Step view={view} here={here} />
      </section>
    </>
  );
}

function Step({ view, here }: { readonly view: SetupView; readonly here: SetupStep | "check" }) {
  switch (here) {
    case "guide":
      return <GuideStep view={view} />;
    case "recorder":
      return <RecorderStep view={view} />;
    case "tuners":
      return <TunersStep view={view} />;
    case "recordings":
      return <RecordingsStep view={view} />;
    case "user":
      return <UserStep view={view} />;
    case "check":
      return <Check view={view} />;
  }
}

function Check({ view }: { readonly view: SetupView }) {
  const { guide, timeZone, tuners, kinds, recordings, user, fleet } = view;
  const region = guide?.regions.find(({ id }) => id === guide.regionId);
  const device = guide?.devices.find(({ id }) => id === guide.deviceId);
  return (
    <>
      <Facts
        of={[
          [say("setup-step-guide"), guide?.url],
          [say("setup-check-account"), guide?.account ?? say("setup-check-no-account")],
          [say("sign-in-region"), region?.name],
          [say("setup-time-zone"), timeZone],
          [
            say("setup-check-device"),
            device === undefined ? say("setup-device-all") : say("setup-device-one", { device: device.name }),
          ],
          [
            say("setup-step-tuners"),
            reader().list(tuners.map(({ kind, place }) => `${kindName(kind, kinds)} ${place}`)),
          ],
          [say("setup-step-recordings"), recordings && folderText(recordings)],
          [say("setup-check-padding"), recordings && paddingText(recordings)],
          [say("setup-check-user"), user],
          [say("setup-check-fleet"), fleet && [fleet.node, fleet.database].filter(Boolean).join(" · ")],
          [say("setup-check-commands"), fleet?.commands?.join(" · ")],
          [say("setup-check-file"), view.file],
        ]}
      />
      <ActionButton kind="primary" act={finish} done={say("setup-written")}>
        {say("setup-write")}
      </ActionButton>
    </>
  );
}

type Recordings = NonNullable<SetupView["recordings"]>;

function folderText({ folder, isNew, freeBytes }: Recordings): string {
  return say(isNew ? "setup-folder-new" : "setup-folder-there", { folder, free: sizeText(freeBytes) });
}

function paddingText({ beforeSeconds, afterSeconds }: Recordings): string {
  const [before, after] = [beforeSeconds, afterSeconds].map((seconds) => durationText(seconds * SECOND));
  return say("setup-padding", { before: before ?? "", after: after ?? "" });
}
