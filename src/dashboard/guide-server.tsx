import { ChannelsPage } from "./pages/channels.tsx";
import { DevicesPage } from "./pages/devices.tsx";
import { UsersPage } from "./pages/users.tsx";
import { PAGE_FILES } from "./pages.ts";
import { Frame, type PageOf } from "./parts/frame.tsx";
import { later } from "./parts/later.tsx";
import { say } from "./state/language.ts";

const MorePage = later(() =>
  import("./pages/more.tsx").then(({ GuideServerMorePage }) => GuideServerMorePage),
);

/** The pages of a guide server; their paths do not overlap its API. */
const PAGES: readonly PageOf[] = [
  { path: "/", name: "nav-devices", icon: "devices", page: DevicesPage },
  { path: "/pages/guide", name: "nav-guide", icon: "guide", page: later(PAGE_FILES["/guide"]) },
  { path: "/pages/series", name: "nav-rules", icon: "rules", page: later(PAGE_FILES["/series"]) },
  { path: "/pages/channels", name: "nav-channels", icon: "channels", page: ChannelsPage },
  { path: "/pages/more", name: "nav-more", icon: "more", page: MorePage },
  { path: "/pages/users", name: "nav-users", page: UsersPage },
];

export function GuideServer() {
  return <Frame pages={PAGES} name={say("frame-guide-server")} />;
}
