import * as vscode from 'vscode';
import { errorText } from '../../base/errors';
import { isRecord } from '../../base/isRecord';
import { t } from '../../base/l10n';
import {
  EngineError,
  isToolName,
  type KnownScript,
  type ScriptFunction,
  type ScriptLanguage,
  TOOL_LANGUAGES,
  toolTemplate,
} from '../../engine';
import type { Command, Host } from '../host';
import { askText } from '../shown/askText';
import { notify, withCancel } from '../shown/notify';
import { pickRow } from '../shown/pickList';
import type { ToolAddress } from './describedDocument';

/** Longer results are shown as a document. */
const SHORT = 300;
const LANGUAGES: readonly (readonly [ScriptLanguage, string])[] = [
  ['bash', 'Bash'],
  ['python', 'Python'],
  ['typescript', 'TypeScript'],
  ['javascript', 'JavaScript'],
];

/** Asks for a language, a location, and a name, writes a working tool there, and opens it. */
export function newTool(host: Host): Command {
  return {
    async run() {
      const rows = LANGUAGES.map(([language, label]) => ({ label, language }));
      const picked = await pickRow(rows, { title: t('New Tool'), placeHolder: t('Choose a language') });
      const folder = picked && (await pickFolder(host));
      if (!picked || folder === undefined) return;
      const ending = TOOL_LANGUAGES[picked.language];
      const pathOf = (name: string) => host.paths.resolve(folder, `${name}.${ending}`);
      const name = await askText({
        title: t('New Tool'),
        prompt: t('Name, for example count_lines'),
        ignoreFocusOut: true,
        validateInput: async (text) => {
          if (!isToolName(text)) return t('Names start with a letter and consist of letters, digits, “_”, and “-”.');
          return (await host.files.find(pathOf(text))) ? t('A tool with this name already exists.') : undefined;
        },
      });
      if (name === undefined) return;
      await host.files.writeFile(pathOf(name), new TextEncoder().encode(toolTemplate(picked.language)));
      await vscode.window.showTextDocument(vscode.Uri.file(pathOf(name)), { preview: false });
    },
  };
}

async function pickFolder(host: Host): Promise<string | undefined> {
  const { own, theirs } = (await host.scripts.tools()).newFolders(host.mcpPlace());
  const yours = {
    icon: 'account',
    label: t('Yours'),
    description: t('in every folder that you open'),
    detail: own,
    folder: own,
  };
  if (theirs === undefined) return own;
  const here = {
    icon: 'root-folder',
    label: t('This workspace'),
    description: t('for everyone who works in it'),
    folder: theirs,
  };
  const shown = { ...here, detail: vscode.workspace.asRelativePath(theirs) };
  return (await pickRow([shown, yours], { title: t('New Tool'), placeHolder: t('Choose a location') }))?.folder;
}

/** Asks for a tool's arguments and calls it in the session of the chat used last, as an agent would. */
export function runTool(host: Host): Command {
  return {
    async run(argument) {
      const found = isAddress(argument) ? await toolAt(host, argument) : await pickTool(host);
      if (!found) return;
      const input = await askForInput(found.called);
      if (!input) return;
      const { session } = await host.currentChat();
      const { kind, root } = found.script;
      const agent = kind === 'agent' ? { agent: host.paths.basename(root) } : {};
      const result = await withCancel(t('Running {0} …', found.called.name), (signal) =>
        host.engine.callTool(found.called.name, input, { sessionId: session.id, ...agent, signal }),
      );
      if (!result) return;
      if (result.status !== 'ok') throw new EngineError('invalid-state', result.text);
      if (result.text.length <= SHORT) await notify('info', `${found.called.name}: ${result.text}`);
      else await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: result.text }));
    },
  };
}

interface FoundTool {
  script: KnownScript;
  called: ScriptFunction;
}

/** Finds the tool in the file's latest version, saving it first if necessary. */
async function toolAt(host: Host, { path, name }: ToolAddress): Promise<FoundTool> {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === path);
  if (open?.isDirty) await open.save();
  const { scripts } = await (await host.scripts.tools()).files.at(path);
  const found = scripts.flatMap(toolsOf).find(({ called }) => called.name === name);
  if (!found)
    throw new EngineError('not-found', t('{0} has no working tool {1}. The Problems view says why.', path, name));
  return found;
}

async function pickTool(host: Host): Promise<FoundTool | undefined> {
  const { scripts } = await (await host.scripts.tools()).list(host.mcpPlace());
  const rows = scripts.flatMap(toolsOf).map((found) => ({
    label: found.called.name,
    description: vscode.workspace.asRelativePath(found.script.file.path),
    detail: found.called.description.split('\n')[0] ?? '',
    found,
  }));
  if (rows.length > 0) return (await pickRow(rows, { title: t('Run Tool'), placeHolder: t('Choose a tool') }))?.found;
  const choice = await notify('info', t('No script tools yet.'), { title: t('New Tool…'), means: 'new' });
  if (choice) await newTool(host).run(undefined);
  return undefined;
}

function toolsOf(script: KnownScript): FoundTool[] {
  return script.description.functions.map((called) => ({ script, called }));
}

function isAddress(value: unknown): value is ToolAddress {
  return isRecord(value) && typeof value['path'] === 'string' && typeof value['name'] === 'string';
}

/** A value that the user entered or left out. */
type Given = { kind: 'value'; value: unknown } | { kind: 'nothing' };

/** Asks for a tool's arguments one after the other. Returns undefined if the user canceled. */
async function askForInput({
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
