import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, type Method } from "./state/api.ts";
import { returnCount } from "./state/live.ts";

/** The data of an API path, loaded when the page opens and reloaded after each change. */
export interface Resource<T> {
  /** Absent until it is loaded. */
  readonly value: T | undefined;
  /** The reason for a failed load; empty after success. */
  readonly failure: string;
  readonly load: () => Promise<void>;
  /** Sends a change and reloads the data. @throws Refusal */
  readonly mutate: (method: Method, path: string, body?: object) => Promise<void>;
}

export function useResource<T>(path: string): Resource<T> {
  const value: Signal<T | undefined> = useSignal<T | undefined>(undefined);
  const failure = useSignal("");
  async function load(): Promise<void> {
    try {
      value.value = await ask<T>("GET", path);
      failure.value = "";
    } catch (error) {
      failure.value = error instanceof Error ? error.message : String(error);
    }
  }
  useEffect(() => void load(), [path, returnCount.value]);
  async function mutate(method: Method, to: string, body?: object): Promise<void> {
    await ask(method, to, body);
    await load();
  }
  return { value: value.value, failure: failure.value, load, mutate };
}
