import { useSignal } from "@preact/signals";
import { OWN_GUIDE_PORT, OWN_GUIDE_URL, type SetupView } from "../../model/setup.ts";
import { answer, nextStep } from "../state/setup.ts";
import { RegionChoice } from "./region-choice.tsx";
import { filled, SubmitForm } from "./submit-form.tsx";

interface StepProps {
  readonly view: SetupView;
}

export function GuideStep({ view: { guide } }: StepProps) {
  const isOwn = useSignal(guide === undefined || guide.url === OWN_GUIDE_URL);
  async function send(fields: FormData): Promise<void> {
    const url = isOwn.value ? { url: OWN_GUIDE_URL } : filled(fields, "url");
    // A password keeps its spaces.
    const password = String(fields.get("password"));
    const account = { ...filled(fields, "email"), ...(password === "" ? {} : { password }) };
    await answer("guide", { ...url, ...filled(fields, "apiKey"), ...account });
    nextStep();
  }
  return (
    <SubmitForm verb="Continue" send={send}>
      <fieldset>
        <legend>Where do your timers come from?</legend>
        <Radio name="service" isOn={isOwn.value} onPick={() => (isOwn.value = true)}>
          My own guide service, on this machine
        </Radio>
        <Radio name="service" isOn={!isOwn.value} onPick={() => (isOwn.value = false)}>
          Another one: in the cloud, in the house, or the simulator's
        </Radio>
      </fieldset>
      {isOwn.value ? null : (
        <label>
          Address
          <input
            name="url"
            type="url"
            required
            placeholder="https://guide.example/api"
            defaultValue={guide?.url === OWN_GUIDE_URL ? "" : (guide?.url ?? "")}
          />
        </label>
      )}
      <label>
        API key, if the service needs one
        <input name="apiKey" type="password" autocomplete="off" />
      </label>
      <fieldset>
        <legend>Your account there</legend>
        <p class="faint">
          Without it nothing is recorded yet; you can sign in later.
          {isOwn.value
            ? ` The page of your own guide service makes one: port ${OWN_GUIDE_PORT} of this machine.`
            : ""}
        </p>
        <label>
          E-mail address
          <input name="email" type="email" autocomplete="username" defaultValue={guide?.account ?? ""} />
        </label>
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" />
        </label>
      </fieldset>
    </SubmitForm>
  );
}

export function RecorderStep({ view: { guide } }: StepProps) {
  const { regions = [], devices = [], account, regionId, deviceId } = guide ?? {};
  // Same default as in the terminal: a new device if the account has none, else all of the account's timers.
  const device = useSignal(String(deviceId ?? (devices.length === 0 ? "new" : "all")));
  async function send(fields: FormData): Promise<void> {
    await answer("recorder", {
      region: String(fields.get("region")),
      device: account === undefined ? "all" : device.value,
    });
    nextStep();
  }
  return (
    <SubmitForm verb="Continue" send={send}>
      <RegionChoice regions={regions} chosen={regionId} />
      {account === undefined ? null : (
        <fieldset>
          <legend>What this recorder records</legend>
          {[
            { id: "new", name: "Timers of a new device: this recorder is registered at the service" },
            { id: "all", name: "The timers of all devices of the account" },
            ...devices.map(({ id, name }) => ({ id: String(id), name: `Timers of ${name}` })),
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

export function RecordingsStep({ view: { recordings } }: StepProps) {
  async function send(fields: FormData): Promise<void> {
    const text = (name: string) => String(fields.get(name)).trim();
    await answer("recordings", { folder: text("folder"), before: text("before"), after: text("after") });
    nextStep();
  }
  return (
    <SubmitForm verb="Continue" send={send}>
      <label>
        Folder for recordings, on the recorder's machine
        <input name="folder" required defaultValue={recordings?.folder ?? "/srv/recordings"} />
      </label>
      <label>
        Seconds to record before each event
        <input name="before" inputMode="numeric" required defaultValue={recordings?.beforeSeconds ?? 60} />
      </label>
      <label>
        Seconds to record after each event
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
    <SubmitForm verb="Continue" send={send}>
      <p>You sign in with this name and password when you open this recorder from another machine.</p>
      <label>
        Name
        <input name="name" autocomplete="username" required defaultValue={user ?? ""} />
      </label>
      <label>
        Password, at least 8 characters
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
