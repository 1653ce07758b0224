import { useMemo } from "preact/hooks";
import { ChannelsPage } from "./pages/channels.tsx";
import { DevicesPage } from "./pages/devices.tsx";
import { GuidePage } from "./pages/guide.tsx";
import { SeriesPage } from "./pages/series.tsx";
import { UsersPage } from "./pages/users.tsx";
import { Frame, type PageOf } from "./parts/frame.tsx";
import { say } from "./state/language.ts";

/** The pages of a guide server; their paths do not overlap its API. */
function pagesOf(): readonly PageOf[] {
  return [
    { path: "/", name: say("devices-title"), page: DevicesPage },
    { path: "/pages/guide", name: say("programme-title"), page: GuidePage },
    { path: "/pages/series", name: say("series-title"), page: SeriesPage },
    { path: "/pages/channels", name: say("channels-title"), page: ChannelsPage },
    { path: "/pages/users", name: say("users-title"), page: UsersPage },
  ];
}

export function GuideServer() {
  const pages = useMemo(pagesOf, []);
  return <Frame pages={pages} name={say("sign-in-guide-server")} />;
}
