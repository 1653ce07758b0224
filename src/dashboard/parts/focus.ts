/** Gives the page the focus of an element that is about to go: the next key goes on there, not at the top of the window. */
export function focusPage(): void {
  document.getElementById("page")?.focus({ preventScroll: true });
}

/** Nothing that is left has the focus. */
export function isFocusFree(): boolean {
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.id === "page";
}
