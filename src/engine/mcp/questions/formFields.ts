import { counted } from '../../../base/counted';
import { safeLine, safeText } from '../../../base/shown/safeText';
import { clipEnd } from '../../../base/truncate';
import * as z from '../../../base/zod';
import type { QuestionKind } from '../../events/agentEvent';

/** The value a form sends for a field. */
export type FieldValue = string | number | boolean | string[];

/** A parsed answer: undefined omits the field; `problem` is a sentence that says what is wrong. */
type ReadAnswer = { ok: true; value: FieldValue | undefined } | { ok: false; problem: string };

/** A form field that a server asks for. */
export interface FormField {
  /** The server's name for it. */
  readonly name: string;
  /** The server's label and description, sanitized. */
  readonly words: string;
  readonly kind: QuestionKind;
  /** All distinct. */
  readonly options: readonly string[];
  /** Cairn's own hint on how to answer; empty if the options are self-explanatory. */
  readonly hint: string;
  read(texts: readonly string[]): ReadAnswer;
}

const MAX_FIELDS = 30;
const MAX_OPTIONS = 50;
const MAX_WORDS = 1000;
const MAX_LABEL = 200;
/** Skips a text, or accepts the server's default. */
const SKIP = '-';

const titled = z.array(z.looseObject({ const: z.string(), title: z.optional(z.string()) }));
const words = { title: z.optional(z.string()), description: z.optional(z.string()) };
const count = z.optional(z.number());

const stringField = z.looseObject({
  type: z.literal('string'),
  ...words,
  enum: z.optional(z.array(z.string())),
  enumNames: z.optional(z.array(z.string())),
  oneOf: z.optional(titled),
  format: z.optional(z.string()),
  minLength: count,
  maxLength: count,
  default: z.optional(z.string()),
});
const numberField = z.looseObject({
  type: z.enum(['number', 'integer']),
  ...words,
  minimum: count,
  maximum: count,
  default: z.optional(z.number()),
});
const booleanField = z.looseObject({ type: z.literal('boolean'), ...words, default: z.optional(z.boolean()) });
const listField = z.looseObject({
  type: z.literal('array'),
  ...words,
  items: z.looseObject({ enum: z.optional(z.array(z.string())), anyOf: z.optional(titled) }),
  minItems: count,
  maxItems: count,
  default: z.optional(z.array(z.string())),
});
const field = z.discriminatedUnion('type', [stringField, numberField, booleanField, listField]);
const form = z.looseObject({
  properties: z.record(z.string(), field),
  required: z.optional(z.array(z.string())),
});

type StringField = z.infer<typeof stringField>;
type NumberField = z.infer<typeof numberField>;
type ListField = z.infer<typeof listField>;

interface Choice<T> {
  label: string;
  value: T | undefined;
}

/** Returns the fields of a form, or a clause that says why the user cannot be asked for them. */
export function readForm(schema: unknown): readonly FormField[] | string {
  const parsed = form.safeParse(schema);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `its form is malformed: ${safeLine(issue?.path.join('.') ?? '', 100)}: ${issue?.message ?? 'unknown'}`;
  }
  const { properties, required = [] } = parsed.data;
  const entries = Object.entries(properties);
  if (entries.length > MAX_FIELDS) return `its form has ${entries.length} fields, more than ${MAX_FIELDS}`;
  const fields: FormField[] = [];
  for (const [name, one] of entries) {
    const read = readField(name, one, required.includes(name));
    if (typeof read === 'string') return `its field ${safeLine(name, 100)} ${read}`;
    fields.push(read);
  }
  return fields;
}

function readField(name: string, one: z.infer<typeof field>, isRequired: boolean): FormField | string {
  const title = safeLine(one.title ?? name, MAX_LABEL);
  const more = one.description === undefined ? '' : `\n${clipEnd(safeText(one.description), MAX_WORDS)}`;
  const base = { name, words: title + more };
  if (one.type === 'boolean') {
    const yesOrNo = [
      { label: 'Yes', value: true },
      { label: 'No', value: false },
    ];
    return chosen(base, yesOrNo, one.default, isRequired);
  }
  if (one.type === 'array') return severalChosen(base, one, isRequired);
  if (one.type === 'string') {
    const choices = choicesOf(one);
    if (choices.length > MAX_OPTIONS) return tooMany(choices);
    if (choices.length > 0) return chosen(base, choices, one.default, isRequired);
  }
  return typed(base, one, isRequired);
}

function tooMany(choices: readonly unknown[]): string {
  return `offers ${choices.length} answers, more than ${MAX_OPTIONS}`;
}

/** Labels must be distinct, so that two values never look the same. */
function choicesOf(one: Pick<StringField, 'enum' | 'enumNames' | 'oneOf'>): Choice<string>[] {
  const named = one.oneOf
    ? one.oneOf.map(({ const: value, title }) => ({ value, title }))
    : (one.enum ?? []).map((value, at) => ({ value, title: one.enumNames?.[at] }));
  const taken = new Set<string>();
  return named.map(({ value, title }) => {
    const short = safeLine(title ?? value, MAX_LABEL);
    const label = taken.has(short) ? `${short} (${safeLine(value, MAX_LABEL)})` : short;
    taken.add(label);
    return { label, value };
  });
}

type Base = Pick<FormField, 'name' | 'words'>;

function chosen<T extends string | boolean>(
  base: Base,
  choices: readonly Choice<T>[],
  proposed: T | undefined,
  isRequired: boolean,
): FormField {
  const usual = choices.find(({ value }) => value === proposed);
  const without = { label: 'Leave Out', value: undefined };
  const all = isRequired ? choices : [...choices, without];
  const hint = usual ? `It proposes ${usual.label}.` : '';
  return {
    ...base,
    kind: 'choice',
    options: all.map(({ label }) => label),
    hint,
    read([text]) {
      const found = all.find(({ label }) => label === text);
      return found ? { ok: true, value: found.value } : { ok: false, problem: 'Choose one of the answers.' };
    },
  };
}

function severalChosen(base: Base, one: ListField, isRequired: boolean): FormField | string {
  const choices = choicesOf({ enum: one.items.enum, oneOf: one.items.anyOf });
  if (choices.length > MAX_OPTIONS) return tooMany(choices);
  if (choices.length === 0) return 'is a list of texts, which a form cannot ask for';
  const { minItems = 0, maxItems = choices.length } = one;
  const usual = choices.filter(({ value }) => value !== undefined && one.default?.includes(value));
  const proposal = usual.length > 0 ? ` It proposes ${usual.map(({ label }) => label).join(', ')}.` : '';
  return {
    ...base,
    kind: 'checkbox',
    options: choices.map(({ label }) => label),
    hint: `Choose ${minItems} to ${maxItems}${isRequired ? '' : ', or none to leave it out'}.${proposal}`,
    read(texts) {
      if (texts.length === 0 && !isRequired) return { ok: true, value: undefined };
      const found = choices.filter(({ label }) => texts.includes(label));
      if (found.length < new Set(texts).size) return { ok: false, problem: 'Choose among the answers.' };
      if (found.length < minItems || found.length > maxItems) {
        return { ok: false, problem: `Choose ${minItems} to ${maxItems} of them.` };
      }
      return { ok: true, value: found.flatMap(({ value }) => value ?? []) };
    },
  };
}

function typed(base: Base, one: StringField | NumberField, isRequired: boolean): FormField {
  const proposed = one.default === undefined ? undefined : safeLine(String(one.default), MAX_LABEL);
  const skip = proposed === undefined ? 'leave it out' : `use what it proposes: ${proposed}`;
  const canSkip = !isRequired || proposed !== undefined;
  return {
    ...base,
    kind: 'input',
    options: [],
    hint: canSkip ? `Answer ${SKIP} to ${skip}` : '',
    read(texts) {
      const text = (texts[0] ?? '').trim();
      if (canSkip && text === SKIP) return { ok: true, value: one.default };
      return one.type === 'string' ? readText(text, one) : readNumber(text, one);
    },
  };
}

const FORMATS: Readonly<Record<string, { schema: z.ZodMiniType; name: string }>> = {
  email: { schema: z.email(), name: 'an email address' },
  uri: { schema: z.url(), name: 'an address such as https://example.com' },
  date: { schema: z.iso.date(), name: 'a date such as 2026-05-31' },
  'date-time': { schema: z.iso.datetime({ offset: true }), name: 'a time such as 2026-05-31T08:30:00Z' },
};

/** The server's patterns are not evaluated: a malicious one can take minutes. */
function readText(text: string, { format = '', minLength = 0, maxLength = Infinity }: StringField): ReadAnswer {
  if (text === '') return { ok: false, problem: 'It needs an answer.' };
  if (text.length < minLength) return { ok: false, problem: `It needs at least ${counted(minLength, 'character')}.` };
  if (text.length > maxLength) return { ok: false, problem: `It takes at most ${counted(maxLength, 'character')}.` };
  const wanted = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (wanted && !wanted.schema.safeParse(text).success) return { ok: false, problem: `It needs ${wanted.name}.` };
  return { ok: true, value: text };
}

function readNumber(text: string, { type, minimum = -Infinity, maximum = Infinity }: NumberField): ReadAnswer {
  const value = text === '' ? NaN : Number(text);
  if (!Number.isFinite(value)) return { ok: false, problem: 'It needs a number.' };
  if (type === 'integer' && !Number.isSafeInteger(value)) return { ok: false, problem: 'It needs a whole number.' };
  if (value < minimum) return { ok: false, problem: `It needs ${minimum} or more.` };
  if (value > maximum) return { ok: false, problem: `It needs ${maximum} or less.` };
  return { ok: true, value };
}
