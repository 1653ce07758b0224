import { ChannelsPage } from "./pages/channels.tsx";
import { DevicesPage } from "./pages/devices.tsx";
import { GuidePage } from "./pages/guide.tsx";
import { SeriesPage } from "./pages/series.tsx";
import { UsersPage } from "./pages/users.tsx";
import { Frame, type PageOf } from "./parts/frame.tsx";

/** The pages of a guide server; their paths do not overlap its API. */
const PAGES: readonly PageOf[] = [
  { path: "/", name: "Devices", page: DevicesPage },
  { path: "/pages/guide", name: "Programme", page: GuidePage },
  { path: "/pages/series", name: "Series", page: SeriesPage },
  { path: "/pages/channels", name: "Channels", page: ChannelsPage },
  { path: "/pages/users", name: "Users", page: UsersPage },
];

export function GuideServer() {
  return <Frame pages={PAGES} name="guide server" />;
}
