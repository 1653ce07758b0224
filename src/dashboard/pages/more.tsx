import { ActionButton } from "../parts/action.tsx";
import { Menu } from "../parts/menu.tsx";
import { Preferences } from "../parts/preferences.tsx";
import { ask } from "../state/api.ts";
import { say } from "../state/language.ts";
import { view } from "../state/live.ts";
import { GUIDE_SERVICE_LINK } from "../state/place.ts";

/** The pages of the recorder that are not in the navigation, and what a viewer can set. */
export function MorePage() {
  return (
    <>
      <div class="bar-of-page">
        <h1>{say("nav-more")}</h1>
      </div>
      <div class="cards more">
        <Menu
          of={[
            { to: "/timeline", name: say("nav-timeline"), line: say("more-timeline") },
            { to: "/timers", name: say("nav-timers"), line: say("more-timers") },
            { to: "/tuners", name: say("nav-tuners"), line: say("more-tuners") },
            { to: "/log", name: say("nav-log"), line: say("more-log") },
            { to: GUIDE_SERVICE_LINK, name: say("more-guide-service"), line: say("more-guide-service-line") },
          ]}
        />
        <Preferences hasNews />
        <section class="card" aria-labelledby="recorder-title">
          <h2 id="recorder-title">{say("more-recorder")}</h2>
          <p class="faint">{say("more-version", { version: view.value?.facts.version ?? "" })}</p>
          <div class="buttons">
            <ActionButton act={() => ask("POST", "/v1/sync")} done={say("more-syncing")}>
              {say("more-sync")}
            </ActionButton>
          </div>
        </section>
      </div>
    </>
  );
}

/** The same for a guide server. */
export function GuideServerMorePage() {
  return (
    <>
      <div class="bar-of-page">
        <h1>{say("nav-more")}</h1>
      </div>
      <div class="cards more">
        <Menu of={[{ to: "/pages/users", name: say("nav-users"), line: say("more-users") }]} />
        <Preferences />
      </div>
    </>
  );
}
