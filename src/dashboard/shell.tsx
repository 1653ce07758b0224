import { useEffect } from "preact/hooks";
import { SECOND } from "../model/time.ts";
import { after } from "./clock.ts";
import { LogPage } from "./pages/log.tsx";
import { MorePage } from "./pages/more.tsx";
import { RecordingsPage } from "./pages/recordings.tsx";
import { TimersPage } from "./pages/timers.tsx";
import { TonightPage } from "./pages/tonight.tsx";
import { PAGE_FILES } from "./pages.ts";
import { Frame, type PageOf } from "./parts/frame.tsx";
import { later } from "./parts/later.tsx";
import { Troubles } from "./parts/troubles.tsx";
import { session } from "./state/api.ts";
import { say } from "./state/language.ts";
import { isLive, view } from "./state/live.ts";
import { areLogosKnown } from "./state/logos.ts";
import { detail, isAtGuideService, liveService } from "./state/place.ts";

const GuidePage = later(PAGE_FILES["/guide"]);
const SeriesPage = later(PAGE_FILES["/series"]);
const TimelinePage = later(PAGE_FILES["/timeline"]);
const TunersPage = later(PAGE_FILES["/tuners"]);

/** Small pages are in the program. */
const PAGES: readonly PageOf[] = [
  { path: "/", name: "nav-tonight", icon: "tonight", page: TonightPage },
  { path: "/guide", name: "nav-guide", icon: "guide", page: GuidePage },
  { path: "/recordings", name: "nav-recordings", icon: "recordings", page: RecordingsPage },
  { path: "/series", name: "nav-rules", icon: "rules", page: SeriesPage },
  { path: "/more", name: "nav-more", icon: "more", page: MorePage },
  { path: "/timeline", name: "nav-timeline", page: TimelinePage },
  { path: "/timers", name: "nav-timers", page: TimersPage },
  { path: "/tuners", name: "nav-tuners", page: TunersPage },
  { path: "/log", name: "nav-log", page: LogPage },
];

/** Nothing is seen of a dialog before it opens. */
const DIALOG = { waiting: false };
const Detail = later(() => import("./pages/detail.tsx").then(({ Detail }) => Detail), DIALOG);
const LiveDialog = later(
  () => import("./player/live-dialog.tsx").then(({ LiveDialog }) => LiveDialog),
  DIALOG,
);
const GuideService = later(
  () => import("./pages/guide-service.tsx").then(({ GuideService }) => GuideService),
  DIALOG,
);
const SignInPage = later(() => import("./pages/sign-in.tsx").then(({ SignInPage }) => SignInPage));
const SetupPage = later(() => import("./pages/setup.tsx").then(({ SetupPage }) => SetupPage));
const GuideServer = later(() => import("./guide-server.tsx").then(({ GuideServer }) => GuideServer));

/** Loaded ahead, once the first page is complete: the next one opens at once, also during an upgrade. */
const NEXT = [GuidePage, Detail, SeriesPage, TimelinePage, TunersPage];
const AHEAD_MS = SECOND;

export function Shell() {
  const { value } = session;
  if (value === undefined) return <main class="faint">{say("frame-loading")}</main>;
  if (!value.signedIn) return <SignInPage />;
  if (value.guideServer !== undefined) return <GuideServer />;
  return value.setup === true ? <SetupPage /> : <Recorder />;
}

function Recorder() {
  const isReady = view.value !== undefined && areLogosKnown.value;
  useEffect(() => {
    if (!isReady) return;
    return after(AHEAD_MS, () => {
      for (const part of NEXT) part.prepare();
    });
  }, [isReady]);
  return (
    <Frame
      pages={PAGES}
      name="recorderd"
      above={
        <>
          {/* For those who do not see the page come to life, or the banner of its silence go. */}
          <span role="status" class="hidden">
            {say(isLive.value ? "frame-live" : "frame-connecting")}
          </span>
          <Troubles />
        </>
      }
      isReady={isReady}
    >
      {detail.value === undefined ? null : <Detail />}
      {liveService.value === undefined ? null : <LiveDialog />}
      {isAtGuideService.value ? <GuideService /> : null}
    </Frame>
  );
}
