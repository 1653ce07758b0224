import { GENRES } from "../../model/rule.ts";
import { genreText } from "../genre.ts";
import { QualityChoice } from "../parts/quality-choice.tsx";
import { reader, say } from "../state/language.ts";
import { Check, type Edit, Group, NumberField, Several, TextField, TimeField } from "./fields.tsx";
import { orderOf, subjectOf } from "./form.ts";

const DAYS = [1, 2, 3, 4, 5, 6, 7];

/** Everything else that a rule can say. */
export function MoreFields({ edit }: { readonly edit: Edit }) {
  return (
    <>
      <ShowFields edit={edit} />
      <TimeFields edit={edit} />
      <RecordingFields edit={edit} />
    </>
  );
}

function ShowFields({ edit }: { readonly edit: Edit }) {
  const { form, set } = edit;
  return (
    <Group title={say("rules-group-show")}>
      <Check
        label={say("rules-field-all-text")}
        isOn={form.isInAllText}
        onTurn={(isInAllText) => set({ isInAllText })}
      />
      <Check
        label={say("rules-field-first")}
        isOn={form.isFirstOnly}
        onTurn={(isFirstOnly) => set({ isFirstOnly })}
      />
      <Several
        legend={say("rules-field-genres")}
        options={GENRES.map((genre) => [genre, genreText(genre)])}
        chosen={form.genres}
        onChoose={(genres) => set({ genres })}
      />
      <div class="fields">
        <TextField
          edit={edit}
          name="categories"
          label={say("rules-field-categories")}
          hint={say("rules-field-categories-hint")}
        />
        <TextField
          edit={edit}
          name="without"
          label={say("rules-field-without")}
          hint={say("rules-field-without-hint")}
        />
      </div>
    </Group>
  );
}

function TimeFields({ edit }: { readonly edit: Edit }) {
  const { form, set } = edit;
  return (
    <Group title={say("rules-group-time")}>
      <Several
        legend={say("rules-field-days")}
        options={DAYS.map((day) => [day, reader().dayOfWeek(day)])}
        chosen={form.weekdays}
        onChoose={(weekdays) => set({ weekdays })}
      />
      <div class="fields">
        <TimeField edit={edit} name="from" label={say("rules-field-from")} />
        <TimeField edit={edit} name="until" label={say("rules-field-until")} />
        <NumberField edit={edit} name="minMinutes" min={1} label={say("rules-field-min")} />
        <NumberField edit={edit} name="maxMinutes" min={1} label={say("rules-field-max")} />
      </div>
    </Group>
  );
}

function RecordingFields({ edit }: { readonly edit: Edit }) {
  const { form, set } = edit;
  return (
    <Group title={say("rules-group-recording")}>
      <div class="fields">
        <TextField
          edit={edit}
          name="name"
          label={say("rules-field-name")}
          placeholder={subjectOf(orderOf(form))}
        />
        <TextField
          edit={edit}
          name="folder"
          label={say("rules-field-folder")}
          hint={say("rules-field-folder-hint")}
        />
        <NumberField
          edit={edit}
          name="keep"
          min={1}
          label={say("rules-field-keep")}
          hint={say("rules-field-keep-hint")}
        />
        <NumberField edit={edit} name="priority" label={say("rules-field-priority")} max={100} />
        <NumberField edit={edit} name="beforeMinutes" label={say("detail-before")} />
        <NumberField edit={edit} name="afterMinutes" label={say("detail-after")} />
        <QualityChoice value={form.quality} onChoose={(quality) => set({ quality })} />
      </div>
      <Check
        label={say("rules-field-paused")}
        isOn={form.isPaused}
        onTurn={(isPaused) => set({ isPaused })}
      />
    </Group>
  );
}
