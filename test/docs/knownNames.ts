import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { IMPORT_HELP } from '../../src/cli/importCommand';
import { MCP_HELP } from '../../src/cli/mcp/mcpCommand';
import { HELP } from '../../src/cli/parseArguments';
import { RUNS_HELP } from '../../src/cli/runsCommand';
import { TOOLS_HELP } from '../../src/cli/toolsCommand';
import { VAULT_HELP } from '../../src/cli/vault/vaultCommand';
import { PROVIDER_KEYS } from '../../src/engine';
import { readVariables } from '../../src/node/config/configSchema';
import { slashCommands } from '../../src/protocol/slashCommands';
import { repoRoot } from '../editor/repoRoot';
import type { Page } from './page';

const manifestSchema = z.object({
  contributes: z.object({
    configuration: z.array(z.object({ properties: z.record(z.string(), z.looseObject({})) })),
    keybindings: z.array(z.object({ key: z.string() })),
  }),
});
const read = (path: string) => readFileSync(join(repoRoot, path), 'utf8');
const manifest = manifestSchema.parse(JSON.parse(read('package.json')));
const texts = Object.values(z.record(z.string(), z.string()).parse(JSON.parse(read('package.nls.json'))));

/** Setting → its schema. */
export const SETTINGS = new Map(
  manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties)),
);

/** Subcommand → its help; the empty key is `cairn` itself. */
export const HELPS: ReadonlyMap<string, string> = new Map([
  ['', HELP],
  ['import', IMPORT_HELP],
  ['mcp', MCP_HELP],
  ['runs', RUNS_HELP],
  ['tools', TOOLS_HELP],
  ['vault', VAULT_HELP],
]);
/** Commands that also accept the options of a run. */
const RUNNERS = /^cairn (?:mcp serve|runs (?:resume|retry))\b/;

/** All text of the product; names that have no list of their own must occur in it. */
const corpus = ['src', 'webview', 'assets', 'test/tasks'].flatMap((folder) =>
  readdirSync(join(repoRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|ya?ml|json|sh|py)$/.test(name))
    .map((name) => read(join(folder, name))),
);
const names = readdirSync(join(repoRoot, 'assets'), { recursive: true, encoding: 'utf8' });
const product = [...corpus, ...names, read('package.json'), read('esbuild.mjs')].join('\n');

const models = z.array(z.object({ id: z.string() })).parse(parse(read('assets/models.yaml')));
const slashNames = slashCommands().map(({ name }) => `/${name}`);
const chords = manifest.contributes.keybindings.map(({ key }) => key);
/** Keys that the editor or the panel handles without an entry in the manifest. */
const KEYS = ['enter', 'shift+enter', 'ctrl+enter', 'escape', 'cmd', 'ctrl', 'ctrl+c'];

const keysOf = (file: string, part: string) =>
  Object.keys(z.record(z.string(), z.record(z.string(), z.string())).parse(parse(read(file)))[part] ?? {});
const fieldsIn = (file: string) =>
  [...read(file).matchAll(/^ +'?([\w-]+)'?: (?:z\b|words|anything|offer|values|text|\{|maybe)/gm)].map(
    ([, key = '']) => key,
  );

/** Header of a table's first column → what the column may contain; tables with any other header are rejected. */
export const TABLES: Readonly<Record<string, readonly string[] | 'free'>> = {
  Setting: [...SETTINGS.keys()],
  Command: texts,
  'Agent key': keysOf('assets/help/frontMatter.yaml', 'agent'),
  'Skill key': keysOf('assets/help/frontMatter.yaml', 'skill'),
  'Role key': keysOf('assets/help/frontMatter.yaml', 'role'),
  'Graph key': keysOf('assets/help/graph.yaml', 'graph'),
  'Node key': keysOf('assets/help/graph.yaml', 'node'),
  'Command key': fieldsIn('src/engine/commands/commandLoader.ts'),
  'Server key': fieldsIn('src/engine/mcp/serverFiles.ts'),
  'Rule key': fieldsIn('src/engine/permissions/permissionRule.ts'),
  'Configuration key': fieldsIn('src/node/config/configSchema.ts'),
  // Compared row by row in a separate test.
  Provider: 'free',
  'Value of `cairn.approvalMode`': z.array(z.string()).parse(SETTINGS.get('cairn.approvalMode')?.['enum']),
  Page: 'free',
  Action: 'free',
  Option: 'free',
  Subcommand: 'free',
  'Exit status': HELP.match(/(?<=[:,] )\d+(?= [a-z])/g) ?? [],
  Node: (read('assets/help/graph.yaml').match(/^  type: '(.+)'$/m)?.[1] ?? '').match(/(?<=`)\w+(?=`)/g) ?? [],
  Place: 'free',
};

/** Returns what is wrong with a text between backticks; undefined if it is a name of the product. */
export function codeProblem(code: string, page: Page): string | undefined {
  if (/^cairn(?: |$)/.test(code)) return lineProblem(code);
  if (/^--?[a-z][\w-]*(?:[ =]|$)/.test(code)) return anyOption(code) ? undefined : 'no help names this option';
  if (/^cairn\.(?!vsix$)[a-z]/.test(code)) return SETTINGS.has(code) ? undefined : 'there is no such setting';
  if (/^(?:Ctrl|Cmd|Shift|Enter|Escape)\b/.test(code)) return keyProblem(code);
  if (/^\/[\w-]+(?: |$)/.test(code)) return slashProblem(code, page);
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(code)) return variableProblem(code, page);
  if (/^[a-z]+:[\w.-]+$/.test(code) && modelProblem(code) === undefined) return undefined;
  if (/^(?:src|test|media)\//.test(code)) return existsSync(join(repoRoot, code)) ? undefined : 'there is no such file';
  // Commands of npm itself.
  if (/^npm (?:ci|install|pack|test)$/.test(code)) return undefined;
  return isNamed(code, page) ? undefined : 'neither the product nor a block of the page has it';
}

/** Returns what is wrong with a label of the editor, such as `Cairn: Open Chat`; undefined if the label exists. */
export function labelProblem(label: string): string | undefined {
  const [, title] = /^Cairn: (.+)$/s.exec(label.replace(/\s+/g, ' ')) ?? [];
  if (title !== undefined) return texts.includes(title) ? undefined : 'no command has this title';
  const shown = label.replace(/\s+/g, ' ');
  return texts.some((text) => text.includes(shown)) || product.includes(shown) ? undefined : 'nothing is labelled so';
}

/** Returns what is wrong with a line that begins with `cairn`; undefined if the help documents all of it. */
export function lineProblem(line: string): string | undefined {
  const words = line.split(/\s+/);
  const sub = HELPS.has(words[1] ?? '') ? (words[1] ?? '') : '';
  const help = `${HELPS.get(sub) ?? ''}${RUNNERS.test(line) ? HELP : ''}`;
  const verb = words[2] ?? '';
  if (sub !== '' && /^[a-z]/.test(verb) && !help.includes(`cairn ${sub} ${verb}`)) return `there is no ${sub} ${verb}`;
  // What follows the name of a server belongs to the server's own command.
  const own = /^cairn mcp add /.test(line) ? line.split(/ [a-z]\w* (?:npx|node|https?:)/)[0] : line.split(/["']/)[0];
  const options = [...(own ?? '').matchAll(/(?<= )(--?[a-z][\w-]*)(?:[ =](\S+))?/g)];
  for (const [, option = '', value = ''] of options) {
    const choices = choicesOf(option, help);
    if (choices === undefined) return `cairn ${sub} --help does not name ${option}`;
    if (choices.length > 1 && /^[a-z]/.test(value) && !choices.includes(value)) {
      return `${option} takes ${choices.join(', ')}, not ${value}`;
    }
  }
  return undefined;
}

/** Returns the values that an option accepts if the help lists them, or an empty array; undefined if the option does not exist. */
function choicesOf(option: string, help: string): readonly string[] | undefined {
  const named = new RegExp(`(?<=^|[\\s,])${option}(?=[\\s,]|$)(?: ([\\w|-]+(?: or [\\w-]+)*))?`, 'gm');
  const found = [...`${help}\n--help -h`.matchAll(named)];
  if (found.length === 0) return undefined;
  return found.flatMap(([, takes = '']) =>
    /^[a-z]/.test(takes) && /\|| or /.test(takes) ? takes.split(/\|| or /) : [],
  );
}

function anyOption(code: string): boolean {
  return [...HELPS.keys()].some((sub) => lineProblem(`cairn ${sub} ${code}`.replace('  ', ' ')) === undefined);
}

function keyProblem(code: string): string | undefined {
  const key = code.toLowerCase();
  return chords.includes(key) || KEYS.includes(key) ? undefined : 'nothing is bound to this key';
}

function slashProblem(code: string, page: Page): string | undefined {
  const name = code.split(' ')[0] ?? '';
  const own = page.snippets.some(({ info }) => new RegExp(`[/=]${name.slice(1)}(?:/SKILL)?\\.md$`).test(info));
  return own || slashNames.includes(name) || code.includes('NAME') ? undefined : 'there is no such command';
}

function variableProblem(name: string, page: Page): string | undefined {
  const read = readVariables({ [name]: '1' });
  const isField = read.places.size > 0 || read.problems.length > 0;
  return isField || isNamed(name, page) ? undefined : 'nothing reads this variable';
}

/** Returns what is wrong with the name of a model. OpenAI and Anthropic models must be in Cairn's list; other providers have their own. */
function modelProblem(code: string): string | undefined {
  const provider = code.split(':')[0] ?? '';
  if (models.some(({ id }) => id === code)) return undefined;
  const isOpen = PROVIDER_KEYS.some(({ id }) => id === provider) && !['openai', 'anthropic'].includes(provider);
  return isOpen ? undefined : 'there is no such model';
}

/** Whether the product has the name: for a path, without the parts that readers fill in; for a longer text, word by word. */
function isNamed(code: string, page: Page): boolean {
  const bare = code
    .replace(/^~\/(?:\.config\/cairn\/)?/, '')
    .replace(/^\*(?=\.)/, '')
    .replace(/\/$/, '');
  if (isText(bare, page)) return true;
  const parts = /^[\w./*-]+$/.test(bare) ? bare.split(/\/?\b(?:NAME|ID)\b\/?/) : (code.match(/[\w./-]+/g) ?? []);
  const words = parts.filter((part) => part !== '');
  return words.length > 0 && (words.length > 1 || words[0] !== bare) && words.every((word) => isText(word, page));
}

function isText(text: string, page: Page): boolean {
  const word = new RegExp(`(?<![\\w-])${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`);
  return word.test(product) || page.snippets.some((one) => word.test(one.text) || word.test(one.info));
}
