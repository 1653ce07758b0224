import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { Detail } from "./pages/detail.tsx";
import { GuidePage } from "./pages/guide.tsx";
import { GuideService } from "./pages/guide-service.tsx";
import { LogPage } from "./pages/log.tsx";
import { RecordingsPage } from "./pages/recordings.tsx";
import { SeriesPage } from "./pages/series.tsx";
import { SetupPage } from "./pages/setup.tsx";
import { SignInPage } from "./pages/sign-in.tsx";
import { TimelinePage } from "./pages/timeline.tsx";
import { TimersPage } from "./pages/timers.tsx";
import { TunersPage } from "./pages/tuners.tsx";
import { ActionButton } from "./parts/action.tsx";
import { Notice } from "./parts/notice.tsx";
import { Troubles } from "./parts/troubles.tsx";
import { ask, session, signOut } from "./state/api.ts";
import { isLive, listen, view } from "./state/live.ts";
import { openDialogs } from "./state/notice.ts";
import { place } from "./state/place.ts";
import { applyTheme, nextTheme, theme } from "./state/theme.ts";

const PAGES: readonly { readonly path: string; readonly name: string; readonly page: ComponentType }[] = [
  { path: "/", name: "Timeline", page: TimelinePage },
  { path: "/timers", name: "Timers", page: TimersPage },
  { path: "/guide", name: "Programme", page: GuidePage },
  { path: "/series", name: "Series", page: SeriesPage },
  { path: "/recordings", name: "Recordings", page: RecordingsPage },
  { path: "/tuners", name: "Tuners", page: TunersPage },
  { path: "/log", name: "Log", page: LogPage },
];

export function Shell() {
  const { value } = session;
  if (value === undefined) return <main class="faint">Asking the recorder…</main>;
  if (!value.signedIn) return <SignInPage />;
  return value.setup === true ? <SetupPage /> : <Inside />;
}

function Inside() {
  useEffect(() => listen(), []);
  const here = PAGES.find(({ path }) => path === place.value) ?? PAGES[0];
  useEffect(() => {
    document.title = `${here?.name ?? ""} · recorderd`;
  }, [here]);
  const Page = here?.page ?? TimelinePage;
  return (
    <>
      <a class="skip" href="#page">
        To the page
      </a>
      <header class="top">
        <nav aria-label="Pages">
          <ul>
            {PAGES.map(({ path, name }) => (
              <li key={path}>
                <a href={path} {...(path === here?.path ? { "aria-current": "page" } : {})}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="tools">
          <span role="status" class={isLive.value ? "live" : "faint"}>
            {isLive.value ? "live" : "connecting…"}
          </span>
          <ActionButton act={() => ask("POST", "/v1/sync")} done="The guide service is being asked.">
            Sync now
          </ActionButton>
          <button type="button" class="quiet" onClick={() => applyTheme(nextTheme())}>
            Colours: {theme.value}
          </button>
          {session.value?.by === "session" ? (
            <ActionButton act={signOut} done="Signed out.">
              Sign out
            </ActionButton>
          ) : null}
        </div>
      </header>
      <main id="page" tabIndex={-1}>
        <Troubles />
        {view.value === undefined ? <p class="faint">Waiting for the recorder…</p> : <Page />}
      </main>
      <Detail />
      <GuideService />
      <Notice isHeard={openDialogs.value === 0} />
    </>
  );
}
