import { useEffect, useRef } from "preact/hooks";
import type { SetupStep, SetupView } from "../../model/setup.ts";
import { after } from "../clock.ts";
import { ActionButton } from "../parts/action.tsx";
import { Facts } from "../parts/facts.tsx";
import { Notice } from "../parts/notice.tsx";
import { GuideStep, RecorderStep, RecordingsStep, UserStep } from "../parts/setup-steps.tsx";
import { TunersStep } from "../parts/setup-tuners.tsx";
import { finish, isWritten, loadSetup, setup, step, stepsOf } from "../state/setup.ts";

const NAMES: Readonly<Record<SetupStep, string>> = {
  guide: "Guide service",
  recorder: "Region and device",
  tuners: "Tuners",
  recordings: "Recordings",
  user: "Who may sign in",
};

const AGAIN_MS = 2000;

function load(): void {
  loadSetup().catch(() => after(AGAIN_MS, load));
}

/** Setup of a recorder without configuration: one question after another, each answer tested, then the recorder. */
export function SetupPage() {
  useEffect(() => {
    document.title = "Set up · recorderd";
    load();
  }, []);
  const { value } = setup;
  return (
    <main class="setup">
      <h1>Set up the recorder</h1>
      {isWritten.value ? (
        <p role="status">The configuration is written. The recorder is starting…</p>
      ) : value === undefined ? (
        <p class="faint">Asking the recorder…</p>
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
      <nav aria-label="Steps">
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
                {one === "check" ? "Check and start" : NAMES[one]}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      <section class="card" aria-labelledby="step-title">
        <h2 id="step-title" tabIndex={-1} ref={heading}>
          {here === "check" ? "Check and start" : NAMES[here]}
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
  const { guide, tuners, recordings, user } = view;
  const region = guide?.regions.find(({ id }) => id === guide.regionId);
  const device = guide?.devices.find(({ id }) => id === guide.deviceId);
  return (
    <>
      <Facts
        of={[
          ["Guide service", guide?.url],
          ["Account", guide?.account ?? "none: sign in later with recorderd login"],
          ["Region", region?.name],
          ["Records", device === undefined ? "the timers of all devices" : `the timers of ${device.name}`],
          ["Tuners", tuners.map(({ kind, place }) => `${kind} ${place}`).join(", ")],
          ["Recordings", recordings === undefined ? undefined : folderText(recordings)],
          [
            "Padding",
            recordings && `${recordings.beforeSeconds} s before, ${recordings.afterSeconds} s after`,
          ],
          ["Signs in", user],
          ["Is written to", view.file],
        ]}
      />
      <ActionButton kind="primary" act={finish} done="The configuration is written.">
        Write it and start
      </ActionButton>
    </>
  );
}

function folderText({ folder, isNew, freeBytes }: NonNullable<SetupView["recordings"]>): string {
  return `${folder}${isNew ? ", to be created" : ""}; ${(freeBytes / 1e9).toFixed(0)} GB are free`;
}
