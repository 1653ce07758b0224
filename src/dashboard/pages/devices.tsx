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
import { clockText, dayText } from "../words.ts";

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
    <ResourcePage title="Devices" resource={resource}>
      {({ devices, silentAfterMs }) => (
        <>
          <p class="faint">
            {devices.length === 0
              ? "None yet. A box or a recorder appears here when it signs in with your account."
              : `A device is silent after ${Math.round(silentAfterMs / DAY)} days without contact.`}
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
    label: "Remove",
    question: `Remove ${label}? A box that signs in again reappears here.`,
    act: () => mutate("DELETE", path),
    done: "Removed.",
    verb: "Remove",
  });
  return (
    <section class="card" aria-labelledby={`device-${id}`}>
      <h2 id={`device-${id}`}>{label}</h2>
      <p class="chips">{isSilent ? <Chip tone="bad" mark="✕" text="silent" /> : null}</p>
      <Facts
        of={[
          ["Kind", model],
          ["Number", String(id)],
          ["Identity", uid],
          [
            "Last contact",
            heardAt === undefined
              ? "never signed in itself"
              : `${dayText(heardAt, now.value)} ${clockText(heardAt)}`,
          ],
        ]}
      />
      <details
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open;
        }}
      >
        <summary>Reception and log</summary>
        {isOpen.value ? <DeviceDetails path={path} /> : null}
      </details>
      <div class="padding-fields">
        <label>
          Name
          <input maxLength={200} {...bound(name)} />
        </label>
        <ActionButton act={() => mutate("PUT", path, { label: name.value })} done="Name changed.">
          Rename
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
  if (value === undefined) return <p class="faint">Asking the guide server…</p>;
  const { received, scannedAt, notReceived, logs } = value;
  return (
    <>
      {scannedAt === undefined ? (
        <p>It has not reported a scan.</p>
      ) : (
        <>
          <p>
            {received === 1 ? "1 service" : `${received} services`} received, scanned{" "}
            {dayText(scannedAt, now.value)} {clockText(scannedAt)}.
          </p>
          <p>
            {notReceived.length === 0
              ? "They include all channels of the region."
              : `${notReceived.length} channels of the region were not found: ${notReceived.map(({ name }) => name).join(", ")}`}
          </p>
        </>
      )}
      {logs.length === 0 ? (
        <p>It has not sent its log.</p>
      ) : (
        <ol class="told-lines" aria-label="Last lines of its log, the newest first">
          {logs.map(({ at, text }, index) => (
            <li key={`${at} ${index}`}>
              {dayText(at, now.value)} {clockText(at)} <code>{text}</code>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
