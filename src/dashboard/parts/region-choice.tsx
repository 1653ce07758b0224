import type { SetupChoice } from "../../model/setup.ts";
import { say } from "../state/language.ts";

/** Chooses a region of the service; the form sends its id as `region`. */
export function RegionChoice({
  regions,
  chosen,
}: {
  readonly regions: readonly SetupChoice[];
  readonly chosen?: number | undefined;
}) {
  return (
    <label>
      {say("sign-in-region")}
      <select name="region" required defaultValue={chosen}>
        {regions.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
