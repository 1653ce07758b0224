import type { ComponentChildren, ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { Key } from "../../words/catalogue.ts";
import { say } from "../state/language.ts";
import { openDialogs } from "../state/notice.ts";
import { place } from "../state/place.ts";
import { Icon, type IconName } from "./icons.tsx";
import { Notice } from "./notice.tsx";
import { Silence } from "./silence.tsx";

export interface PageOf {
  readonly path: string;
  readonly name: Extract<Key, `nav-${string}`>;
  readonly page: ComponentType;
  /** Pages with an icon are places in the navigation, five at most; the others are under the last of them, More. */
  readonly icon?: IconName;
}

/** The frame of every page: navigation at the side, on phones at the bottom. */
export function Frame({
  pages,
  name,
  above,
  isReady = true,
  children,
}: {
  readonly pages: readonly PageOf[];
  /** The name of the recorder or server. */
  readonly name: string;
  readonly above?: ComponentChildren;
  readonly isReady?: boolean;
  /** Dialogs in front of the page. */
  readonly children?: ComponentChildren;
}) {
  const here = pages.find(({ path }) => path === place.value) ?? pages[0];
  useEffect(() => {
    if (here !== undefined) document.title = say("frame-title", { page: say(here.name), name });
  }, [here, name]);
  if (here === undefined) return null;
  const Page = here.page;
  return (
    <div class="shell">
      <a class="skip" href="#page">
        {say("frame-skip")}
      </a>
      <Places pages={pages} here={here} name={name} />
      <main id="page" tabIndex={-1}>
        {openDialogs.value === 0 ? <Silence /> : null}
        {above}
        {isReady ? <Page /> : <p class="faint">{say("frame-waiting")}</p>}
      </main>
      {children}
      <Notice isHeard={openDialogs.value === 0} />
    </div>
  );
}

function Places({
  pages,
  here,
  name,
}: {
  readonly pages: readonly PageOf[];
  readonly here: PageOf;
  readonly name: string;
}) {
  const around = here.icon === undefined ? pages.find(({ icon }) => icon === "more") : here;
  return (
    <nav class="places" aria-label={say("frame-pages")}>
      <b aria-hidden="true">{name}</b>
      <ul>
        {pages.map((one) =>
          one.icon === undefined ? null : (
            <li key={one.path}>
              <a
                href={one.path}
                {...(one === around ? { "aria-current": one === here ? "page" : "true" } : {})}
              >
                <Icon name={one.icon} />
                {say(one.name)}
              </a>
            </li>
          ),
        )}
      </ul>
    </nav>
  );
}
