import * as z from '../../base/zod';
import type { ContentProblem } from '../content/contentProblem';
import type { YamlSource } from '../content/yamlSource';

/** Deeper than any handwritten file. */
const DEEPEST = 100;
/** Limits the notes, since a file may have any number of keys. */
const MOST_NOTES = 10;

const schema = z.lazy(() => z.looseObject({ prompt: z.string(), description: z.exactOptional(z.string()) }));

/** A command of Gemini CLI, converted to Cairn's form. */
interface TomlCommand {
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
  const toml = await readToml(path, text);
  if (toml.problems.length > 0) return { said: undefined, problems: toml.problems };
  const problem = (message: string, severity: ContentProblem['severity'] = 'error'): ContentProblem => {
    return { kind: 'schema', severity, path, line: 1, column: 1, message };
  };
  const parsed = schema.safeParse(toml.data);
  if (!parsed.success) {
    const message = 'The command is empty. Write its prompt as `prompt = "…"`, and `description` as text.';
    return { said: undefined, problems: [problem(message)] };
  }
  const { prompt, description, ...others } = parsed.data;
  const unused = Object.keys(others).slice(0, MOST_NOTES);
  const notes = unused.map((key) => problem(`“${key}” has no effect in Cairn.`, 'note'));
  return { said: { description, body: asOurs(prompt) }, problems: notes };
}

/** Reads TOML as YAML is read. A position is the first line that begins with the key. */
export async function readToml(path: string, text: string): Promise<YamlSource> {
  const { parse, TomlError } = await import('./tomlLibrary');
  const position: YamlSource['position'] = ([key]) => {
    const at = text.split('\n').findIndex((line) => /^([\w-]+)\s*=/.exec(line)?.[1] === String(key));
    return { line: Math.max(at, 0) + 1, column: 1 };
  };
  try {
    return { path, data: parse(text, { maxDepth: DEEPEST }), problems: [], position };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    const [first = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    const message = `This is not valid TOML: ${first}.`;
    return {
      path,
      data: undefined,
      problems: [{ kind: 'parse', severity: 'error', path, line, column, message }],
      position,
    };
  }
}

/**
 * Converts the placeholders to those of `fillCommand`. Commands are left for the model to run, so that they are subject to the
 * same permissions as any other.
 */
function asOurs(prompt: string): string {
  const run = inBraces(prompt, '!{', (command) => {
    // In a command, the typed text is a single word of the shell.
    const filled = command.trim().replaceAll('{{args}}', '${ARGUMENTS:shell}');
    return `(run \`${filled}\` and use what it prints)`;
  });
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
