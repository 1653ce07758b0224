import { useEffect } from "preact/hooks";
import { GuideServer } from "./guide-server.tsx";
import { Detail } from "./pages/detail.tsx";
import { GuidePage } from "./pages/guide.tsx";
import { GuideService } from "./pages/guide-service.tsx";
import { LogPage } from "./pages/log.tsx";
import { MorePage } from "./pages/more.tsx";
import { RecordingsPage } from "./pages/recordings.tsx";
import { SeriesPage } from "./pages/series.tsx";
import { SetupPage } from "./pages/setup.tsx";
import { SignInPage } from "./pages/sign-in.tsx";
import { TimelinePage } from "./pages/timeline.tsx";
import { TimersPage } from "./pages/timers.tsx";
import { TonightPage } from "./pages/tonight.tsx";
import { TunersPage } from "./pages/tuners.tsx";
import { Frame, type PageOf } from "./parts/frame.tsx";
import { Troubles } from "./parts/troubles.tsx";
import { LiveDialog } from "./player/live-dialog.tsx";
import { session } from "./state/api.ts";
import { say } from "./state/language.ts";
import { isLive, listen, view } from "./state/live.ts";
import { areLogosKnown, loadLogos } from "./state/logos.ts";

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

export function Shell() {
  const { value } = session;
  if (value === undefined) return <main class="faint">{say("frame-loading")}</main>;
  if (!value.signedIn) return <SignInPage />;
  if (value.guideServer !== undefined) return <GuideServer />;
  return value.setup === true ? <SetupPage /> : <Recorder />;
}

function Recorder() {
  useEffect(() => {
    void loadLogos();
    return listen();
  }, []);
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
      isReady={view.value !== undefined && areLogosKnown.value}
    >
      <Detail />
      <LiveDialog />
      <GuideService />
    </Frame>
  );
}
