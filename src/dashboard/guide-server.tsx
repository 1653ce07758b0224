import { ChannelsPage } from "./pages/channels.tsx";
import { DevicesPage } from "./pages/devices.tsx";
import { GuidePage } from "./pages/guide.tsx";
import { GuideServerMorePage } from "./pages/more.tsx";
import { SeriesPage } from "./pages/series.tsx";
import { UsersPage } from "./pages/users.tsx";
import { Frame, type PageOf } from "./parts/frame.tsx";
import { say } from "./state/language.ts";

/** The pages of a guide server; their paths do not overlap its API. */
const PAGES: readonly PageOf[] = [
  { path: "/", name: "nav-devices", icon: "devices", page: DevicesPage },
  { path: "/pages/guide", name: "nav-guide", icon: "guide", page: GuidePage },
  { path: "/pages/series", name: "nav-rules", icon: "rules", page: SeriesPage },
  { path: "/pages/channels", name: "nav-channels", icon: "channels", page: ChannelsPage },
  { path: "/pages/more", name: "nav-more", icon: "more", page: GuideServerMorePage },
  { path: "/pages/users", name: "nav-users", page: UsersPage },
];

export function GuideServer() {
  return <Frame pages={PAGES} name={say("frame-guide-server")} />;
}
