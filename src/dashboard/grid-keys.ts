const STEPS: Readonly<Record<string, "nextElementSibling" | "previousElementSibling">> = {
  ArrowDown: "nextElementSibling",
  ArrowUp: "previousElementSibling",
};

/** Moves the focus from a show of the grid to the one above or below it: by Tab, a whole row comes first. */
export function moveInGrid(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  const from = event.target instanceof Element ? event.target.closest("li") : null;
  const row = from?.parentElement;
  if (step === undefined || !from || !row) return;
  let beside = row[step];
  // A channel without a guide has an empty row.
  while (beside instanceof HTMLUListElement && beside.querySelector("button") === null) beside = beside[step];
  if (!(beside instanceof HTMLUListElement)) return;
  const at = from.getBoundingClientRect();
  const farFrom = (one: Element) => {
    const { left, right } = one.getBoundingClientRect();
    return Math.max(0, left - at.left, at.left + 1 - right);
  };
  const [nearest] = [...beside.children].toSorted((a, b) => farFrom(a) - farFrom(b));
  nearest?.querySelector("button")?.focus();
  event.preventDefault();
}
