import * as z from '../../base/zod';
import type { ContentProblem } from '../content/contentProblem';

/** Deeper than any handwritten file. */
const DEEPEST = 100;
/** Limits the notes, since a file may have any number of keys. */
const MOST_NOTES = 10;

const schema = z.lazy(() => z.looseObject({ prompt: z.string(), description: z.exactOptional(z.string()) }));

/** A command of Gemini CLI, converted to Cairn's form. */
export interface TomlCommand {
  description: string | undefined;
  body: string;
}

/**
 * Reads a command of Gemini CLI, which is TOML with the keys `description` and `prompt`. In a prompt, `{{args}}` is the typed
 * text, `!{…}` the output of a command, and `@{…}` a file.
 */
export async function readTomlCommand(
  path: string,
  text: string,
): Promise<{ said: TomlCommand | undefined; problems: ContentProblem[] }> {
  const { parse, TomlError } = await import('./tomlLibrary');
  const problem = (message: string, rest: Partial<ContentProblem> = {}): ContentProblem => ({
    kind: 'schema',
    severity: 'error',
    path,
    line: 1,
    column: 1,
    message,
    ...rest,
  });
  let data: unknown;
  try {
    data = parse(text, { maxDepth: DEEPEST });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    const [first = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    return { said: undefined, problems: [problem(`This is no TOML: ${first}.`, { kind: 'parse', line, column })] };
  }
  const parsed = schema.safeParse(data);
  if (!parsed.success) {
    const message = 'The command is empty. Write its prompt as `prompt = "…"`, and `description` as text.';
    return { said: undefined, problems: [problem(message)] };
  }
  const { prompt, description, ...others } = parsed.data;
  const unused = Object.keys(others).slice(0, MOST_NOTES);
  const notes = unused.map((key) => problem(`“${key}” has no effect in Cairn.`, { severity: 'note' }));
  return { said: { description, body: asOurs(prompt) }, problems: notes };
}

/**
 * Converts the placeholders to those of `fillCommand`. Commands are left for the model to run, so that they are subject to the
 * same permissions as any other.
 */
function asOurs(prompt: string): string {
  const run = inBraces(prompt, '!{', (command) => `(run \`${command.trim()}\` and use what it prints)`);
  return inBraces(run, '@{', (path) => `@${path.trim()}`).replaceAll('{{args}}', '$ARGUMENTS');
}

/** Replaces each text between `open` and its closing brace. Unclosed text is left unchanged. */
function inBraces(text: string, open: string, replace: (inner: string) => string): string {
  let whole = '';
  for (let from = 0; ;) {
    const at = text.indexOf(open, from);
    const end = at < 0 ? -1 : closing(text, at + open.length);
    if (end < 0) return whole + text.slice(from);
    whole += text.slice(from, at) + replace(text.slice(at + open.length, end));
    from = end + 1;
  }
}

function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}
