import { useEffect } from "preact/hooks";
import { GuideServer } from "./guide-server.tsx";
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
import { Frame, type PageOf } from "./parts/frame.tsx";
import { Troubles } from "./parts/troubles.tsx";
import { LiveDialog } from "./player/live-dialog.tsx";
import { ask, session } from "./state/api.ts";
import { say } from "./state/language.ts";
import { isLive, listen, view } from "./state/live.ts";

const PAGES: readonly PageOf[] = [
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
  if (value === undefined) return <main class="faint">{say("frame-loading")}</main>;
  if (!value.signedIn) return <SignInPage />;
  if (value.guideServer !== undefined) return <GuideServer />;
  return value.setup === true ? <SetupPage /> : <Recorder />;
}

function Recorder() {
  useEffect(() => listen(), []);
  return (
    <Frame
      pages={PAGES}
      name="recorderd"
      tools={
        <>
          <span role="status" class={isLive.value ? "live" : "faint"}>
            {isLive.value ? "live" : "connecting…"}
          </span>
          <ActionButton act={() => ask("POST", "/v1/sync")} done="The guide service is being asked.">
            Sync now
          </ActionButton>
        </>
      }
      above={<Troubles />}
      isReady={view.value !== undefined}
    >
      <Detail />
      <LiveDialog />
      <GuideService />
    </Frame>
  );
}
