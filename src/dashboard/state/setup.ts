import { signal } from "@preact/signals";
import { SETUP_STEPS, type SetupStep, type SetupView } from "../../model/setup.ts";
import { SECOND } from "../../model/time.ts";
import { after } from "../clock.ts";
import { ask, lookForSession, session } from "./api.ts";

/** What is answered; absent until the recorder told of it. */
export const setup = signal<SetupView | undefined>(undefined);
/** What is shown: a question, or at the end all answers. */
export const step = signal<SetupStep | "check">("guide");
/** The configuration is written: what answers next is the recorder itself. */
export const isWritten = signal(false);

const AGAIN_MS = SECOND;

export async function loadSetup(): Promise<void> {
  showSetup(await ask<SetupView>("GET", "/v1/setup"));
  nextStep();
}

/** @throws Refusal saying why that is no answer */
export async function answer(path: string, body: unknown): Promise<SetupView> {
  return showSetup(await ask<SetupView>("POST", `/v1/setup/${path}`, body));
}

export async function removeTuner(id: string): Promise<void> {
  showSetup(await ask<SetupView>("DELETE", `/v1/setup/tuners/${encodeURIComponent(id)}`));
}

/** To the first question that is still open. */
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
