import type { ComponentChildren, ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { LANGUAGES } from "../../words/language.ts";
import { session, signOut } from "../state/api.ts";
import { reader, say } from "../state/language.ts";
import { openDialogs } from "../state/notice.ts";
import { chooseLanguage } from "../state/own-language.ts";
import { place } from "../state/place.ts";
import { applyTheme, nextTheme, theme } from "../state/theme.ts";
import { ActionButton } from "./action.tsx";
import { Notice } from "./notice.tsx";

export interface PageOf {
  readonly path: string;
  readonly name: string;
  readonly page: ComponentType;
}

/** The frame of every page: navigation and common actions. */
export function Frame({
  pages,
  name,
  tools,
  above,
  isReady = true,
  children,
}: {
  readonly pages: readonly PageOf[];
  /** The name of the recorder or server. */
  readonly name: string;
  readonly tools?: ComponentChildren;
  readonly above?: ComponentChildren;
  readonly isReady?: boolean;
  /** Dialogs in front of the page. */
  readonly children?: ComponentChildren;
}) {
  const here = pages.find(({ path }) => path === place.value) ?? pages[0];
  useEffect(() => {
    document.title = `${here?.name ?? ""} · ${name}`;
  }, [here, name]);
  if (here === undefined) return null;
  const Page = here.page;
  return (
    <>
      <a class="skip" href="#page">
        {say("frame-skip")}
      </a>
      <header class="top">
        <nav aria-label={say("frame-pages")}>
          <ul>
            {pages.map((one) => (
              <li key={one.path}>
                <a href={one.path} {...(one === here ? { "aria-current": "page" } : {})}>
                  {one.name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="tools">
          {tools}
          <button type="button" class="quiet" onClick={() => applyTheme(nextTheme())}>
            {say("frame-colours", { theme: theme.value })}
          </button>
          <LanguageChoice />
          {session.value?.by === "session" ? (
            <ActionButton act={signOut} done={say("frame-signed-out")}>
              {say("frame-sign-out")}
            </ActionButton>
          ) : null}
        </div>
      </header>
      <main id="page" tabIndex={-1}>
        {above}
        {isReady ? <Page /> : <p class="faint">{say("frame-waiting")}</p>}
      </main>
      {children}
      <Notice isHeard={openDialogs.value === 0} />
    </>
  );
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
