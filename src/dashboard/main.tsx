import "./start.ts";
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
import { effect, untracked } from "@preact/signals";
import { render } from "preact";
import { after, startClock } from "./clock.ts";
import { firstLanguage } from "./early.ts";
import { Shell } from "./shell.tsx";
import { isAtRecorder, lookForSession } from "./state/api.ts";
import { listen } from "./state/live.ts";
import { loadLogos } from "./state/logos.ts";
import { loadLanguage } from "./state/own-language.ts";
import { followLinks } from "./state/place.ts";
import { followNotifications } from "./state/push.ts";
import { reloadWhenAnswered } from "./state/reload.ts";
import { applyTheme, theme } from "./state/theme.ts";

const AGAIN_MS = 2000;

function begin(): void {
  lookForSession().catch(() => after(AGAIN_MS, begin));
}

function draw(): void {
  const root = document.getElementById("app");
  if (root === null) return;
  // The name that stood there until now.
  root.replaceChildren();
  render(<Shell />, root);
}

applyTheme(theme.value);
startClock();
followLinks();
followNotifications();
begin();
// The recorder's state is asked for before anything is drawn: both take their time.
effect(() => {
  if (!isAtRecorder.value) return;
  return untracked(() => {
    const stop = listen();
    void loadLogos();
    // The first use of Intl takes a browser some 20 ms: now it only waits for the recorder.
    new Intl.DateTimeFormat(firstLanguage.locale, { hour: "numeric" });
    return stop;
  });
});
loadLanguage().then(draw, reloadWhenAnswered);
