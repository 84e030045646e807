import { errorText } from '../../base/errorText';
import { isRecord } from '../../base/isRecord';
import { t } from '../../base/l10n';
import type { ScriptFunction } from '../../engine';
import { askText } from '../shown/askText';
import { pickRow } from '../shown/pickList';

/** A value that the user entered or left out. */
type Given = { kind: 'value'; value: unknown } | { kind: 'nothing' };

/** Asks for a tool's arguments one after the other. Returns undefined if the user canceled. */
export async function askForInput({
  name,
  inputSchema,
}: Pick<ScriptFunction, 'name' | 'inputSchema'>): Promise<Record<string, unknown> | undefined> {
  const { properties, required } = inputSchema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const input: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(isRecord(properties) ? properties : {})) {
    const asked = { title: t('Run {0}: {1}', name, key), isNeeded: needed.has(key) };
    const given = await askForValue(isRecord(schema) ? schema : {}, asked);
    if (!given) return undefined;
    if (given.kind === 'value') input[key] = given.value;
  }
  return input;
}

interface Asked {
  title: string;
  isNeeded: boolean;
}

async function askForValue(schema: Readonly<Record<string, unknown>>, asked: Asked): Promise<Given | undefined> {
  const { type, enum: choices, description, default: usual } = schema;
  const said = typeof description === 'string' ? description : '';
  if (Array.isArray(choices)) return pick(choices, said, asked);
  if (type === 'boolean') return pick([true, false], said, asked);
  const text = await askText({
    title: asked.title,
    prompt: promptOf(said, asked),
    ignoreFocusOut: true,
    ...(usual !== undefined && { value: typeof usual === 'string' ? usual : JSON.stringify(usual) }),
    validateInput: (typed) => (typed === '' && !asked.isNeeded ? undefined : problemOf(typed, type)),
  });
  if (text === undefined) return undefined;
  if (text === '' && !asked.isNeeded) return { kind: 'nothing' };
  return { kind: 'value', value: type === 'string' ? text : valueOf(text, type) };
}

function promptOf(said: string, { isNeeded }: Asked): string {
  if (isNeeded) return said;
  return said === '' ? t('Leave empty to omit') : t('{0} (leave empty to omit)', said);
}

async function pick(choices: readonly unknown[], said: string, { title, isNeeded }: Asked): Promise<Given | undefined> {
  const rows = choices.map((value) => ({ label: String(value), given: { kind: 'value', value } satisfies Given }));
  const nothing = isNeeded ? [] : [{ label: t('Leave Out'), icon: 'dash', given: { kind: 'nothing' } satisfies Given }];
  const picked = await pickRow<(typeof rows)[number] | (typeof nothing)[number]>([...rows, ...nothing], {
    title,
    placeHolder: said,
    ignoreFocusOut: true,
  });
  return picked?.given;
}

function problemOf(text: string, type: unknown): string | undefined {
  try {
    const value = valueOf(text, type);
    if (type === 'integer' && !Number.isInteger(value)) return t('Enter a whole number.');
    if (type === 'number' && typeof value !== 'number') return t('Enter a number.');
    if (type === 'array' && !Array.isArray(value)) return t('Enter a list, such as ["one", "two"].');
    return type === 'object' && !isRecord(value) ? t('Enter an object, such as {"name": "value"}.') : undefined;
  } catch (error) {
    return errorText(error);
  }
}

/** A list of strings may be entered separated by commas. A value of any type is parsed as JSON if possible. */
function valueOf(text: string, type: unknown): unknown {
  if (type === 'string') return text;
  if (type === 'array' && !text.trim().startsWith('[')) return text.split(',').map((one) => one.trim());
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    if (type === undefined) return text;
    throw new Error(t('This is not valid: {0}', errorText(error)), { cause: error });
  }
}
