import type { ComponentChildren } from "preact";
import type { Resource } from "../resource.ts";

interface Props<T> {
  readonly title: string;
  readonly resource: Resource<T>;
  /** What is shown of it once it is there. */
  readonly children: (value: T) => ComponentChildren;
}

/** A page of what the guide server tells, or why it does not. */
export function ResourcePage<T>({ title, resource: { value, failure }, children }: Props<T>) {
  if (failure !== "") return <p role="status">{failure}</p>;
  return (
    <>
      <div class="bar-of-page">
        <h1>{title}</h1>
      </div>
      {value === undefined ? <p class="faint">Asking the guide server…</p> : children(value)}
    </>
  );
}
