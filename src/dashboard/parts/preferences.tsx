import { LANGUAGES } from "../../words/language.ts";
import { session, signOut } from "../state/api.ts";
import { reader, say } from "../state/language.ts";
import { chooseLanguage } from "../state/own-language.ts";
import { goTo } from "../state/place.ts";
import { applyTheme, nextTheme, theme } from "../state/theme.ts";
import { ActionButton } from "./action.tsx";
import { PushSwitch } from "./push-switch.tsx";

/**
 * Settings of this browser, and the button that signs out.
 *
 * @param hasNews the server notifies people: a recorder does
 */
export function Preferences({ hasNews = false }: { readonly hasNews?: boolean }) {
  return (
    <section class="card" aria-labelledby="preferences-title">
      <h2 id="preferences-title">{say("more-browser")}</h2>
      <div class="buttons">
        <LanguageChoice />
        <button type="button" onClick={() => applyTheme(nextTheme())}>
          {say("frame-colours", { theme: theme.value })}
        </button>
        {session.value?.by === "session" ? (
          <ActionButton act={leave} done={say("frame-signed-out")}>
            {say("frame-sign-out")}
          </ActionButton>
        ) : null}
      </div>
      {hasNews ? <PushSwitch /> : null}
    </section>
  );
}

/** The next viewer begins at the start page. */
async function leave(): Promise<void> {
  await signOut();
  goTo("/");
}

/** Each language in its own words: somebody who cannot read this one finds theirs. */
export function LanguageChoice() {
  return (
    <select
      aria-label={say("frame-language")}
      value={reader().language}
      onChange={({ currentTarget }) => chooseLanguage(currentTarget.value)}
    >
      {Object.entries(LANGUAGES).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  );
}
