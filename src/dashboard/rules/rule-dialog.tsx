import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Rule } from "../../model/rule.ts";
import { chosenBox, loadBoxes } from "../boxes.ts";
import { loadStations } from "../guide-data.ts";
import { ActionButton } from "../parts/action.tsx";
import { BoxChoice } from "../parts/box-choice.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { say } from "../state/language.ts";
import type { Edit } from "./fields.tsx";
import { formOf, hasMoreConditions, looksForSomething, orderOf, type RuleDraft } from "./form.ts";
import { exceeds } from "./matches.ts";
import { type Mistake, mistakeOf } from "./mistakes.ts";
import { MoreFields } from "./more-fields.tsx";
import { Excess, PreviewPart } from "./preview.tsx";
import { saveRule } from "./requests.ts";
import type { Preview, PreviewOrder } from "./shapes.ts";
import { SimpleFields } from "./simple-fields.tsx";
import { usePreview } from "./use-preview.ts";

interface Props {
  /** The rule to change; absent: a new one, which begins with the draft. */
  readonly rule?: Rule;
  readonly draft?: RuleDraft;
  readonly onSaved?: () => Promise<void>;
  readonly onClose: () => void;
}

/** Makes or changes a rule, with a preview of what it does. */
export function RuleDialog(props: Props) {
  const { rule, onSaved, onClose } = props;
  const saved = useSignal<Preview | undefined>(undefined);
  return (
    <Dialog title={rule === undefined ? say("rules-new") : rule.name} onClose={onClose}>
      {saved.value === undefined ? (
        <Editor
          {...props}
          onDone={async (excess) => {
            await onSaved?.();
            if (excess === undefined) onClose();
            else saved.value = excess;
          }}
        />
      ) : (
        <>
          <p role="alert">
            <strong>{say("rules-saved-exceeds")}</strong>
          </p>
          <Excess of={saved.value} />
          <button type="button" class="primary" onClick={onClose}>
            {say("dialog-close")}
          </button>
        </>
      )}
    </Dialog>
  );
}

function Editor({
  rule,
  draft = {},
  onDone,
}: Props & { readonly onDone: (excess: Preview | undefined) => Promise<void> }) {
  const form = useSignal(formOf(rule ?? draft));
  const deviceId = useSignal(rule?.deviceId);
  const refused = useSignal<Mistake | undefined>(undefined);
  const isUnfolded = useSignal(hasMoreConditions(form.value));
  useEffect(() => {
    // Without them, channels and devices have no names; the preview says what is wrong.
    Promise.all([loadStations(), loadBoxes()]).catch(() => {});
  }, []);
  const recordedBy = deviceId.value ?? chosenBox.value;
  const order = orderOf(form.value);
  const wanted: PreviewOrder = {
    // The rule of another recorder stays there.
    order: recordedBy === undefined ? order : { ...order, deviceId: recordedBy },
    ...(rule === undefined ? {} : { replaces: rule.id }),
  };
  const looks = looksForSomething(order);
  const previewed = usePreview(looks ? wanted : undefined);
  const found = refused.value ?? mistakeOf(previewed.failure);
  const edit: Edit = {
    form: form.value,
    set: (change) => {
      form.value = { ...form.value, ...change };
      refused.value = undefined;
    },
    mistakeAt: (field) => (found?.field === field ? found.text : undefined),
  };
  async function save(): Promise<void> {
    if (!looks) throw new Error(say("rules-preview-start"));
    try {
      const preview = await saveRule(wanted);
      await onDone(order.isPaused || !exceeds(preview) ? undefined : preview);
    } catch (failure) {
      refused.value = mistakeOf(failure);
      throw failure;
    }
  }
  return (
    <>
      <SimpleFields edit={edit} />
      <details
        open={isUnfolded.value || (found !== undefined && !isSimple(found.field))}
        onToggle={({ currentTarget }) => (isUnfolded.value = currentTarget.open)}
      >
        <summary>{say("rules-more")}</summary>
        <MoreFields edit={edit} />
      </details>
      <BoxChoice value={recordedBy} onChoose={(id) => (deviceId.value = id)} />
      <div class="buttons">
        <ActionButton kind="primary" act={save} done={say("series-saved")}>
          {say("series-save")}
        </ActionButton>
      </div>
      <PreviewPart of={previewed} looks={looks} isPaused={form.value.isPaused} />
    </>
  );
}

/** A mistake in another field unfolds the rest. */
function isSimple(field: string): boolean {
  return field === "words" || field === "expression";
}
