import { say } from "../state/language.ts";
import { ChannelChoice } from "./channel-choice.tsx";
import { Check, type Edit, TextField } from "./fields.tsx";

/** The fields that most rules need. */
export function SimpleFields({ edit }: { readonly edit: Edit }) {
  const { form, set } = edit;
  return (
    <>
      <div class="fields">
        <TextField
          edit={edit}
          name="words"
          label={say(form.isInAllText ? "rules-field-words-all" : "rules-field-words")}
          hint={say("rules-field-words-hint")}
        />
        <TextField
          edit={edit}
          name="expression"
          label={say("rules-field-expression")}
          hint={say("rules-field-expression-hint")}
        />
      </div>
      <ChannelChoice chosen={form.channelIds} onChoose={(channelIds) => set({ channelIds })} />
      <Check
        label={say("rules-field-new")}
        isOn={form.isNewOnly}
        onTurn={(isNewOnly) => set({ isNewOnly })}
      />
    </>
  );
}
