import { useSignal } from "@preact/signals";
import { OWN_GUIDE_PORT, OWN_GUIDE_URL, type SetupView } from "../../model/setup.ts";
import { reader, say } from "../state/language.ts";
import { answer, nextStep } from "../state/setup.ts";
import { RegionChoice } from "./region-choice.tsx";
import { JoinFleet } from "./setup-fleet.tsx";
import { filled, SubmitForm } from "./submit-form.tsx";

interface StepProps {
  readonly view: SetupView;
}

function GuideForm({ view: { guide } }: StepProps) {
  const isOwn = useSignal(guide === undefined || guide.url === OWN_GUIDE_URL);
  const isRefused = useSignal(false);
  async function send(fields: FormData): Promise<void> {
    const url = isOwn.value ? { url: OWN_GUIDE_URL } : filled(fields, "url");
    // A password keeps its spaces.
    const password = String(fields.get("password"));
    const account = { ...filled(fields, "email"), ...(password === "" ? {} : { password }) };
    try {
      await answer("guide", { ...url, ...filled(fields, "apiKey"), ...account });
    } catch (error) {
      // The service may need a key: its field opens.
      isRefused.value = true;
      throw error;
    }
    nextStep();
  }
  return (
    <SubmitForm verb={say("setup-continue")} send={send}>
      <fieldset>
        <legend>{say("setup-timers-from")}</legend>
        <Radio name="service" isOn={isOwn.value} onPick={() => (isOwn.value = true)}>
          {say("setup-guide-own")}
        </Radio>
        <Radio name="service" isOn={!isOwn.value} onPick={() => (isOwn.value = false)}>
          {say("setup-guide-other")}
        </Radio>
      </fieldset>
      {isOwn.value ? null : (
        <label>
          {say("setup-guide-address")}
          <input
            name="url"
            type="url"
            required
            placeholder="https://guide.example/api"
            defaultValue={guide?.url === OWN_GUIDE_URL ? "" : (guide?.url ?? "")}
          />
        </label>
      )}
      <fieldset>
        <legend>{say("setup-account")}</legend>
        <p class="faint">{say("setup-account-hint")}</p>
        {isOwn.value ? (
          <p class="faint">{say("setup-account-own", { port: String(OWN_GUIDE_PORT) })}</p>
        ) : null}
        <label>
          {say("sign-in-email")}
          <input name="email" type="email" autocomplete="username" defaultValue={guide?.account ?? ""} />
        </label>
        <label>
          {say("sign-in-password")}
          <input name="password" type="password" autocomplete="current-password" />
        </label>
      </fieldset>
      {isOwn.value ? null : <ApiKey isOpen={isRefused.value} />}
    </SubmitForm>
  );
}

export function GuideStep(props: StepProps) {
  return (
    <>
      <GuideForm {...props} />
      <JoinFleet />
    </>
  );
}

/** Few services need one. */
function ApiKey({ isOpen }: { readonly isOpen: boolean }) {
  return (
    <details open={isOpen}>
      <summary>{say("setup-more")}</summary>
      <label>
        {say("setup-api-key")}
        <input name="apiKey" type="password" autocomplete="off" />
      </label>
      <p class="faint">{say("setup-api-key-hint")}</p>
    </details>
  );
}

export function RecorderStep({ view: { guide, timeZone } }: StepProps) {
  const { regions = [], devices = [], account, regionId, deviceId } = guide ?? {};
  // Same default as in the terminal: a new device if the account has none, else all of the account's timers.
  const device = useSignal(String(deviceId ?? (devices.length === 0 ? "new" : "all")));
  async function send(fields: FormData): Promise<void> {
    await answer("recorder", {
      region: String(fields.get("region")),
      device: account === undefined ? "all" : device.value,
      language: reader().language,
      timeZone: String(fields.get("timeZone")),
    });
    nextStep();
  }
  return (
    <SubmitForm verb={say("setup-continue")} send={send}>
      <RegionChoice regions={regions} chosen={regionId} />
      <TimeZoneChoice chosen={timeZone ?? reader().timeZone} />
      {account === undefined ? null : (
        <fieldset>
          <legend>{say("setup-device")}</legend>
          {[
            { id: "new", name: say("setup-device-new") },
            { id: "all", name: say("setup-device-all") },
            ...devices.map(({ id, name }) => ({
              id: String(id),
              name: say("setup-device-one", { device: name }),
            })),
          ].map(({ id, name }) => (
            <Radio key={id} name="device" isOn={device.value === id} onPick={() => (device.value = id)}>
              {name}
            </Radio>
          ))}
        </fieldset>
      )}
    </SubmitForm>
  );
}

/** The browser's zone at first: a machine's own is often UTC, as in a container. */
function TimeZoneChoice({ chosen }: { readonly chosen: string }) {
  const zones = [...new Set([chosen, ...Intl.supportedValuesOf("timeZone"), "UTC"])];
  return (
    <label>
      {say("setup-time-zone")}
      <select name="timeZone" defaultValue={chosen}>
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </select>
    </label>
  );
}

export function RecordingsStep({ view: { recordings } }: StepProps) {
  async function send(fields: FormData): Promise<void> {
    const text = (name: string) => String(fields.get(name)).trim();
    await answer("recordings", { folder: text("folder"), before: text("before"), after: text("after") });
    nextStep();
  }
  return (
    <SubmitForm verb={say("setup-continue")} send={send}>
      <label>
        {say("setup-folder")}
        <input name="folder" required defaultValue={recordings?.folder ?? "/srv/recordings"} />
      </label>
      <label>
        {say("setup-before")}
        <input name="before" inputMode="numeric" required defaultValue={recordings?.beforeSeconds ?? 60} />
      </label>
      <label>
        {say("setup-after")}
        <input name="after" inputMode="numeric" required defaultValue={recordings?.afterSeconds ?? 180} />
      </label>
    </SubmitForm>
  );
}

export function UserStep({ view: { user } }: StepProps) {
  async function send(fields: FormData): Promise<void> {
    await answer("user", {
      name: String(fields.get("name")).trim(),
      password: String(fields.get("password")),
    });
    nextStep();
  }
  return (
    <SubmitForm verb={say("setup-continue")} send={send}>
      <p>{say("setup-user-hint")}</p>
      <label>
        {say("sign-in-name")}
        <input name="name" autocomplete="username" required defaultValue={user ?? ""} />
      </label>
      <label>
        {say("sign-in-new-password")}
        <input name="password" type="password" autocomplete="new-password" minLength={8} required />
      </label>
    </SubmitForm>
  );
}

function Radio({
  name,
  isOn,
  onPick,
  children,
}: {
  readonly name: string;
  readonly isOn: boolean;
  readonly onPick: () => void;
  readonly children: string;
}) {
  return (
    <label class="radio">
      <input type="radio" name={name} checked={isOn} onChange={onPick} />
      {children}
    </label>
  );
}
