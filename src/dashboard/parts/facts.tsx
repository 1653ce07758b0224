import type { ComponentChildren } from "preact";

/** A name with its value. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** Names with values; unknown values are left out. */
export function Facts({ of }: { readonly of: readonly Fact[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) =>
        value === undefined || value === "" ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
