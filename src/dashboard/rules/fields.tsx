import type { ComponentChildren } from "preact";
import type { RuleForm } from "./form.ts";

/** The form with its changes and the mistakes that were found in it. */
export interface Edit {
  readonly form: RuleForm;
  readonly set: (change: Partial<RuleForm>) => void;
  readonly mistakeAt: (field: string) => string | undefined;
}

type FieldsOf<T> = { [K in keyof RuleForm]: RuleForm[K] extends T ? K : never }[keyof RuleForm];
/** Longer texts of rules are refused. */
const TEXT_LENGTH = 200;

type TextName = Exclude<FieldsOf<string>, "quality">;

interface FieldProps {
  readonly edit: Edit;
  readonly name: TextName;
  readonly label: string;
  readonly hint?: string;
}

/** A label above an input; below it a hint, and a mistake. */
function Labelled({
  edit: { mistakeAt },
  name,
  label,
  hint,
  children,
}: FieldProps & { readonly children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={idOf(name)}>{label}</label>
      {children}
      <span id={`${idOf(name)}-hint`} class="faint">
        {hint}
      </span>
      <span id={`${idOf(name)}-mistake`} class="bad-text" role="alert">
        {mistakeAt(name)}
      </span>
    </div>
  );
}

function idOf(name: TextName): string {
  return `rule-${name}`;
}

function inputOf({ edit: { form, set, mistakeAt }, name }: FieldProps) {
  return {
    id: idOf(name),
    value: form[name],
    "aria-describedby": `${idOf(name)}-hint ${idOf(name)}-mistake`,
    "aria-invalid": mistakeAt(name) !== undefined,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      set({ [name]: currentTarget.value }),
  };
}

export function TextField({ placeholder, ...field }: FieldProps & { readonly placeholder?: string }) {
  return (
    <Labelled {...field}>
      <input type="text" maxLength={TEXT_LENGTH} {...(placeholder && { placeholder })} {...inputOf(field)} />
    </Labelled>
  );
}

export function TimeField(field: FieldProps) {
  return (
    <Labelled {...field}>
      <input type="time" {...inputOf(field)} />
    </Labelled>
  );
}

/** A whole number, or none. */
export function NumberField({
  min = 0,
  max,
  ...field
}: FieldProps & { readonly min?: number; readonly max?: number }) {
  return (
    <Labelled {...field}>
      <input type="number" min={min} {...(max && { max })} {...inputOf(field)} />
    </Labelled>
  );
}

export function Check({
  label,
  isOn,
  onTurn,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onTurn: (isOn: boolean) => void;
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onTurn(currentTarget.checked)} />
      {label}
    </label>
  );
}

/** A choice of several. */
export function Several<T extends string | number>({
  legend,
  options,
  chosen,
  onChoose,
}: {
  readonly legend: string;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly chosen: readonly T[];
  readonly onChoose: (chosen: readonly T[]) => void;
}) {
  return (
    <fieldset class="several">
      <legend>{legend}</legend>
      <Checks options={options} chosen={chosen} onChoose={onChoose} />
    </fieldset>
  );
}

export function Checks<T extends string | number>({
  options,
  chosen,
  onChoose,
}: {
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly chosen: readonly T[];
  readonly onChoose: (chosen: readonly T[]) => void;
}) {
  return (
    <div class="checks">
      {options.map(([value, label]) => (
        <Check
          key={value}
          label={label}
          isOn={chosen.includes(value)}
          onTurn={(isOn) => onChoose(isOn ? [...chosen, value] : chosen.filter((one) => one !== value))}
        />
      ))}
    </div>
  );
}

/** Fields that belong together, under a heading. */
export function Group({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <fieldset class="group">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}
