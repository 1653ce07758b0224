import { useSignal } from "@preact/signals";
import { DAY } from "../../model/time.ts";
import { now } from "../clock.ts";
import { ActionButton } from "../parts/action.tsx";
import { bound } from "../parts/bound.ts";
import { Chip } from "../parts/chip.tsx";
import { useConfirmation } from "../parts/confirm.tsx";
import { Facts } from "../parts/facts.tsx";
import { ResourcePage } from "../parts/resource-page.tsx";
import { type Resource, useResource } from "../resource.ts";
import { reader, say } from "../state/language.ts";

/** An entry of `/v1/devices`. */
interface Device {
  readonly id: number;
  readonly label: string;
  readonly uid: string;
  readonly model: string;
  readonly heardAt?: number;
  readonly isSilent: boolean;
}

interface Devices {
  readonly silentAfterMs: number;
  readonly devices: readonly Device[];
}

/** Boxes and recorders of the household. */
export function DevicesPage() {
  const resource = useResource<Devices>("/v1/devices");
  return (
    <ResourcePage title={say("nav-devices")} resource={resource}>
      {({ devices, silentAfterMs }) => (
        <>
          <p class="faint">
            {devices.length === 0
              ? say("devices-none")
              : say("devices-silent-after", { days: Math.round(silentAfterMs / DAY) })}
          </p>
          <div class="cards">
            {devices.map((device) => (
              <DeviceCard key={device.id} device={device} mutate={resource.mutate} />
            ))}
          </div>
        </>
      )}
    </ResourcePage>
  );
}

function DeviceCard({
  device,
  mutate,
}: {
  readonly device: Device;
  readonly mutate: Resource<Devices>["mutate"];
}) {
  const { id, label, uid, model, heardAt, isSilent } = device;
  const name = useSignal(label);
  const isOpen = useSignal(false);
  const path = `/v1/devices/${id}`;
  const removal = useConfirmation({
    label: say("devices-remove"),
    question: say("devices-remove-question", { name: label }),
    act: () => mutate("DELETE", path),
    done: say("devices-removed"),
    verb: say("devices-remove"),
  });
  return (
    <section class="card" aria-labelledby={`device-${id}`}>
      <h2 id={`device-${id}`}>{label}</h2>
      <p class="chips">{isSilent ? <Chip tone="bad" mark="✕" text={say("devices-silent")} /> : null}</p>
      <Facts
        of={[
          [say("devices-model"), model],
          [say("devices-number"), String(id)],
          [say("devices-identity"), uid],
          [
            say("devices-last-contact"),
            heardAt === undefined ? say("devices-never") : reader().at(heardAt, now.value),
          ],
        ]}
      />
      <details
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open;
        }}
      >
        <summary>{say("devices-details")}</summary>
        {isOpen.value ? <DeviceDetails path={path} /> : null}
      </details>
      <div class="padding-fields">
        <label>
          {say("devices-name")}
          <input maxLength={200} {...bound(name)} />
        </label>
        <ActionButton act={() => mutate("PUT", path, { label: name.value })} done={say("devices-renamed")}>
          {say("devices-rename")}
        </ActionButton>
        {removal.button}
      </div>
      {removal.dialog}
    </section>
  );
}

/** The answer of `/v1/devices/:id`. */
interface DeviceDetailsView {
  readonly received: number;
  readonly scannedAt?: number;
  readonly notReceived: readonly { readonly id: number; readonly name: string }[];
  readonly logs: readonly { readonly at: number; readonly text: string }[];
}

function DeviceDetails({ path }: { readonly path: string }) {
  const { value, failure } = useResource<DeviceDetailsView>(path);
  if (failure !== "") return <p role="status">{failure}</p>;
  if (value === undefined) return <p class="faint">{say("frame-loading")}</p>;
  const { received, scannedAt, notReceived, logs } = value;
  return (
    <>
      {scannedAt === undefined ? (
        <p>{say("devices-not-scanned")}</p>
      ) : (
        <>
          <p>{say("devices-scanned", { count: received, at: reader().inside.at(scannedAt, now.value) })}</p>
          <p>
            {notReceived.length === 0
              ? say("devices-receives-all")
              : say("devices-not-received", {
                  count: notReceived.length,
                  names: reader().list(notReceived.map(({ name }) => name)),
                })}
          </p>
        </>
      )}
      {logs.length === 0 ? (
        <p>{say("devices-no-log")}</p>
      ) : (
        <ol class="told-lines" aria-label={say("devices-log")}>
          {logs.map(({ at, text }, index) => (
            <li key={`${at} ${index}`}>
              {reader().at(at, now.value)} <code>{text}</code>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
