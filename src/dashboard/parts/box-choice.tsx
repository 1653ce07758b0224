import { boxes, chosenBox } from "../boxes.ts";
import { say } from "../state/language.ts";

/** Chooses the recording device if there are several. */
export function BoxChoice({
  value = chosenBox.value,
  onChoose = (id) => {
    chosenBox.value = id;
  },
}: {
  readonly value?: number | undefined;
  readonly onChoose?: (id: number) => void;
}) {
  if (boxes.value.length < 2) return null;
  return (
    <label>
      {say("devices-recorded-by")}
      <select
        value={String(value)}
        onChange={({ currentTarget }) => {
          onChoose(Number(currentTarget.value));
        }}
      >
        {boxes.value.map(({ id, label }) => (
          <option key={id} value={String(id)}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
