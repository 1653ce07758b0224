import { signal } from "@preact/signals";

/** The width of a phone, as in the style sheets. */
const phone = matchMedia("(max-width: 48rem)");

export const isPhone = signal(phone.matches);

phone.addEventListener("change", ({ matches }) => {
  isPhone.value = matches;
});
