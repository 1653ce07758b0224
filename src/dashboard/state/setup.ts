import { signal } from "@preact/signals";
import { SETUP_STEPS, type SetupStep, type SetupView } from "../../model/setup.ts";
import { SECOND } from "../../model/time.ts";
import { after } from "../clock.ts";
import { ask, lookForSession, session } from "./api.ts";

/** The answers so far; absent until they are loaded. */
export const setup = signal<SetupView | undefined>(undefined);
/** The current question, or the final check. */
export const step = signal<SetupStep | "check">("guide");
/** Whether the configuration is written: the next answer comes from the recorder itself. */
export const isWritten = signal(false);

const AGAIN_MS = SECOND;

export async function loadSetup(): Promise<void> {
  showSetup(await ask<SetupView>("GET", "/v1/setup"));
  nextStep();
}

/** @throws Refusal with the reason for rejecting the answer */
export async function answer(path: string, body: unknown): Promise<SetupView> {
  return showSetup(await ask<SetupView>("POST", `/v1/setup/${path}`, body));
}

export async function removeTuner(id: string): Promise<void> {
  showSetup(await ask<SetupView>("DELETE", `/v1/setup/tuners/${encodeURIComponent(id)}`));
}

/** Goes to the first open question. */
export function nextStep(): void {
  step.value = setup.value?.missing[0] ?? "check";
}

/** The questions of this recorder. */
export function stepsOf({ needsUser }: SetupView): readonly SetupStep[] {
  return SETUP_STEPS.filter((one) => one !== "user" || needsUser);
}

export async function finish(): Promise<void> {
  await answer("finish", {});
  isWritten.value = true;
  lookForRecorder();
}

function lookForRecorder(): void {
  void lookForSession()
    .catch(() => {})
    .then(() => {
      if (session.value?.setup === true) after(AGAIN_MS, lookForRecorder);
    });
}

function showSetup(view: SetupView): SetupView {
  setup.value = view;
  return view;
}
