import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Rows rendered beyond the visible part, so that the keyboard can reach the next one. */
const BEYOND = 6;

/** A list of any length that renders only its visible rows. All rows have one height. */
export function LongList<T>({
  label,
  items,
  rowPx,
  keyOf,
  row,
}: {
  readonly label: string;
  readonly items: readonly T[];
  readonly rowPx: number;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T) => ComponentChildren;
}) {
  const list = useRef<HTMLUListElement>(null);
  const span = useSignal({ first: 0, count: 30 });
  useEffect(() => {
    function look(): void {
      const top = list.current?.getBoundingClientRect().top ?? 0;
      const first = Math.max(0, Math.floor(-top / rowPx) - BEYOND);
      const count = Math.ceil(innerHeight / rowPx) + 2 * BEYOND;
      if (span.value.first !== first || span.value.count !== count) span.value = { first, count };
    }
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [rowPx, span]);
  const { first, count } = span.value;
  return (
    <ul class="long-list" aria-label={label} ref={list} style={{ height: `${items.length * rowPx}px` }}>
      {items.slice(first, first + count).map((item, index) => (
        <li
          key={keyOf(item)}
          aria-setsize={items.length}
          aria-posinset={first + index + 1}
          style={{ transform: `translateY(${(first + index) * rowPx}px)`, height: `${rowPx}px` }}
        >
          {row(item)}
        </li>
      ))}
    </ul>
  );
}
