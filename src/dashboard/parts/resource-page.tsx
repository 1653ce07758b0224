import type { ComponentChildren } from "preact";
import type { Resource } from "../resource.ts";
import { say } from "../state/language.ts";

interface Props<T> {
  readonly title: string;
  readonly resource: Resource<T>;
  /** Renders the loaded data. */
  readonly children: (value: T) => ComponentChildren;
}

/** A page of data from the guide server, or the reason why it is unavailable. */
export function ResourcePage<T>({ title, resource: { value, failure }, children }: Props<T>) {
  if (failure !== "") return <p role="status">{failure}</p>;
  return (
    <>
      <div class="bar-of-page">
        <h1>{title}</h1>
      </div>
      {value === undefined ? <p class="faint">{say("frame-loading")}</p> : children(value)}
    </>
  );
}
