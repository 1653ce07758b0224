import "./early.ts";
import "./style/base.css";
import "./style/pages.css";
import "./style/tonight.css";
import "./style/timeline.css";
import "./style/guide.css";
import "./style/marks.css";
import "./style/detail.css";
import "./style/decisions.css";
import "./style/player.css";
import "./style/rules.css";
import "./style/setup.css";
import { render } from "preact";
import { after, startClock } from "./clock.ts";
import { Shell } from "./shell.tsx";
import { lookForSession } from "./state/api.ts";
import { loadLanguage } from "./state/own-language.ts";
import { followLinks } from "./state/place.ts";
import { followNotifications } from "./state/push.ts";
import { applyTheme, theme } from "./state/theme.ts";

const AGAIN_MS = 2000;

function begin(): void {
  lookForSession().catch(() => after(AGAIN_MS, begin));
}

applyTheme(theme.value);
startClock();
followLinks();
followNotifications();
// A refusal is worded too.
await loadLanguage();
begin();
const root = document.getElementById("app");
if (root !== null) render(<Shell />, root);
