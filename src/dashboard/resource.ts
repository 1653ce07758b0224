import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, type Method } from "./state/api.ts";

/** What an address tells, asked for when the page opens, and again after each change. */
export interface Resource<T> {
  /** Absent until it is there. */
  readonly value: T | undefined;
  /** Why it is not there; empty where nothing went wrong. */
  readonly failure: string;
  readonly load: () => Promise<void>;
  /** Asks something of the server, and then what there is now. @throws Refusal */
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
  useEffect(() => void load(), [path]);
  async function mutate(method: Method, to: string, body?: object): Promise<void> {
    await ask(method, to, body);
    await load();
  }
  return { value: value.value, failure: failure.value, load, mutate };
}
