import { splitFrontMatter } from '../../base/frontMatter';
import * as z from '../../base/zod';
import {
  checkContent,
  fileNote,
  forPeople,
  noFrontMatter,
  notesOn,
  schemaKeys,
  unseenProblems,
} from '../content/checkContent';
import type { ContentBatch } from '../content/contentCatalog';
import type { ContentProblem, ContentWorld } from '../content/contentProblem';
import type { ContentRoot } from '../content/contentRoots';
import { filesOf, isConfigRoot, readConfigRoot, withPluginFolder } from '../content/filesBelow';
import { foreignFrontMatter } from '../content/foreignFrontMatter';
import { foreignModel } from '../content/foreignModel';
import { CLAUDE_TOOLS, COPILOT_TOOLS } from '../content/foreignToolNames';
import { readProblem, readText } from '../content/readText';
import { mapToolNames, OPENCODE_TOOLS, withoutToolSet } from '../content/toolNames';
import { hintText, nameList } from '../content/writtenNames';
import { readYaml, yamlReady, type YamlSource } from '../content/yamlSource';
import type { ReadingMode } from '../permissions/modes';
import type { FileSystem, PathStyle } from '../ports';
import type { PromptCommand } from './promptCommand';
import { readTomlCommand } from './tomlCommand';

const words = z.exactOptional(z.string());
const anything = z.exactOptional(z.unknown());

/** The keys of Claude Code, OpenCode, Copilot, and Cairn. */
const commandSchema = z.lazy(() =>
  z.strictObject({
    name: words,
    description: words,
    'argument-hint': z.exactOptional(hintText),
    arguments: z.exactOptional(nameList),
    agent: words,
    mode: words,
    model: z.exactOptional(z.union([z.string(), z.array(z.string())])),
    tools: z.exactOptional(nameList),
    'allowed-tools': anything,
    'disallowed-tools': anything,
    'disable-model-invocation': anything,
    'user-invocable': anything,
    subtask: anything,
    context: anything,
    effort: anything,
    hooks: anything,
    version: anything,
    title: words,
    mcp: anything,
  }),
);
type Fields = z.infer<typeof commandSchema>;

/** Keys that change how a command works in other tools but have no effect in Cairn. */
const WITHOUT_EFFECT = ['allowed-tools', 'subtask', 'context', 'effort', 'hooks', 'mcp'];
/** Names that are modes rather than agent files in other tools. */
const MODES_OF: Partial<Record<ContentWorld, ReadonlySet<string>>> = {
  copilot: new Set(['agent', 'ask', 'edit', 'plan']),
  opencode: new Set(['build', 'plan']),
};
/** Variables that Copilot fills in from the editor. */
const OF_EDITOR = /\$\{(?:file(?:\w*)|relativeFile|selection|selectedText|lineNumber)\}/g;
/** A name that can be typed after `/`. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.:/-]{0,99}$/u;

/** Reads commands, which are prompts with a name. Reports unreadable files as problems of the batch. */
export class CommandLoader {
  constructor(private readonly ports: { files: FileSystem; paths: PathStyle }) {}

  async readRoot(root: ContentRoot): Promise<ContentBatch<PromptCommand>> {
    if (isConfigRoot(root)) return this.readConfig(root);
    const { files, paths } = this.ports;
    const problems: ContentProblem[] = [];
    const onUnreadable = (path: string, error: unknown) => problems.push(readProblem(path, error));
    try {
      const below = await filesOf(root, files, paths, { onUnreadable });
      for (const path of below) if (isAlmost(path, root)) problems.push(otherFile(path, root));
      const read = await Promise.all(
        below.filter((path) => isCommand(path, root)).map((path) => this.readFile(path, root)),
      );
      return {
        items: read.flatMap(({ items }) => items),
        problems: [...problems, ...read.flatMap((one) => one.problems)],
      };
    } catch (error) {
      return { items: [], problems: [readProblem(root.folder, error)] };
    }
  }

  /** Reads one command. */
  async readFile(path: string, root: ContentRoot): Promise<ContentBatch<PromptCommand>> {
    const { files, paths } = this.ports;
    const text = await readText(path, files);
    if (typeof text !== 'string') return { items: [], problems: [text] };
    if (root.world === 'gemini') return this.readToml(path, root, text);
    const isOurs = root.world === 'cairn';
    const { head, headLine, body, unclosed } = (isOurs ? splitFrontMatter : foreignFrontMatter)(text);
    // A README describes the commands for people.
    if (/^readme\.md$/i.test(paths.basename(path)) && head === null) return { items: [], problems: [forPeople(path)] };
    if (unclosed) return { items: [], problems: [noFrontMatter(path, unclosed)] };
    await yamlReady(head ?? '');
    const mendBy = isOurs ? undefined : schemaKeys(commandSchema, []);
    const yaml = readYaml(head ?? '', { path, firstLine: headLine, lenient: true, mendBy });
    const { value, problems } = checkContent(yaml, commandSchema, isOurs ? {} : { unknownKeys: 'note', limits: [] });
    if (!value) return { items: [], problems };
    const called = nameOf(paths.relative(root.folder, path), root.world, value.name);
    const name = isOurs ? called : typable(called);
    if (!NAME.test(name)) return { items: [], problems: [...problems, badName(yaml, called)] };
    const source = { scope: root.scope, world: root.world, path };
    const made = commandOf(value, { name, source, body: withPluginFolder(body.trim(), root) }, yaml);
    return {
      items: [made.command],
      problems: [
        ...problems,
        ...otherName(yaml, called, name),
        ...made.problems,
        ...notesOn(value, WITHOUT_EFFECT, yaml),
        ...unseenProblems(path, text),
      ],
    };
  }

  /** Reads the commands in OpenCode's settings. */
  private async readConfig(root: ContentRoot): Promise<ContentBatch<PromptCommand>> {
    const config = await readConfigRoot(root, this.ports);
    if (!config) return { items: [], problems: [] };
    const { problems } = config;
    const items: PromptCommand[] = [];
    for (const { name: called, key, value: entry } of config.entries(['command', 'commands'])) {
      const where = [key, called];
      const { template, ...fields } = entry;
      const yaml = config.at(where, fields);
      const name = typable(called);
      const checked = checkContent(yaml, commandSchema, { unknownKeys: 'note', limits: [] });
      problems.push(...checked.problems, ...otherName(yaml, called, name));
      if (!checked.value) continue;
      if (!NAME.test(name)) {
        problems.push(badName(yaml, called));
        continue;
      }
      const body = await config.filled(typeof template === 'string' ? template.trim() : '', where);
      const source = { scope: root.scope, world: root.world, path: root.folder };
      const made = commandOf(checked.value, { name, source, body }, yaml);
      problems.push(...made.problems, ...notesOn(checked.value, WITHOUT_EFFECT, yaml));
      items.push(made.command);
    }
    return { items, problems };
  }

  private async readToml(path: string, root: ContentRoot, text: string): Promise<ContentBatch<PromptCommand>> {
    const { said, problems } = await readTomlCommand(path, text);
    if (!said) return { items: [], problems };
    const called = nameOf(this.ports.paths.relative(root.folder, path), root.world, undefined);
    const name = typable(called);
    const place = { path, position: () => ({ line: 1, column: 1 }) };
    if (!NAME.test(name)) return { items: [], problems: [...problems, badName(place, called)] };
    const source = { scope: root.scope, world: root.world, path };
    const body = said.body.trim();
    const command = { name, source, body, description: said.description ?? firstLine(body), hint: '' };
    return {
      items: [command],
      problems: [...problems, ...otherName(place, called, name), ...unseenProblems(path, text)],
    };
  }
}

function endingOf({ world }: Pick<ContentRoot, 'world'>): string {
  return world === 'copilot' ? '.prompt.md' : world === 'gemini' ? '.toml' : '.md';
}

/** Whether a file below a root is a command; the folders of Copilot also contain other files. */
export function isCommand(path: string, root: Pick<ContentRoot, 'world'>): boolean {
  return path.endsWith(endingOf(root));
}

/** Whether a file could be mistaken for a command because of its extension: that of another tool's commands, or a variant. */
function isAlmost(path: string, root: Pick<ContentRoot, 'world'>): boolean {
  return !isCommand(path, root) && /(?:^|[\\/])[^.\\/][^\\/]*\.(?:md[cx]?|markdown|toml)$/i.test(path);
}

function otherFile(path: string, root: Pick<ContentRoot, 'world'>): ContentProblem {
  return fileNote(path, `This is not used: a command is a file here that ends in ${endingOf(root)}.`);
}

/** Returns the command name as its tool forms it from nested folders: `team:review` in Claude Code, `team/review` in OpenCode. */
function nameOf(relative: string, world: ContentWorld, said: string | undefined): string {
  if (world === 'copilot')
    return said?.trim().replace(/\s+/g, '-') || (relative.split('/').at(-1) ?? '').replace(/\.prompt\.md$/, '');
  const name = relative.replace(/\.(?:md|toml)$/, '');
  return world === 'opencode' ? name : name.replaceAll('/', ':');
}

/** Replaces characters that cannot be typed after `/`. */
function typable(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}_.:/-]+/gu, '-').replaceAll(/(?<!-)-+(?=[:/]|$)/g, '');
  return plain.replaceAll(/(^|[:/])[.-]+/g, '$1').slice(0, 100);
}

type FilePlace = Pick<YamlSource, 'path' | 'position'>;

function otherName(yaml: FilePlace, called: string, name: string): ContentProblem[] {
  if (name === called) return [];
  const message = `The command is called “${name}” here.`;
  return [{ kind: 'schema', severity: 'note', path: yaml.path, ...yaml.position(['name'], 'key'), message }];
}

function commandOf(
  value: Fields,
  own: Pick<PromptCommand, 'name' | 'source' | 'body'>,
  yaml: YamlSource,
): { command: PromptCommand; problems: ContentProblem[] } {
  const { world } = own.source;
  const problems: ContentProblem[] = [];
  const tell = (key: string, severity: ContentProblem['severity'], message: string) =>
    problems.push({ kind: 'schema', severity, path: yaml.path, ...yaml.position([key], 'key'), message });
  const written = [value.model ?? []].flat();
  const models = written.map((one) => foreignModel(one, world)).filter((one) => one !== null);
  if (written.length > 0 && models.length === 0)
    tell('model', 'warning', `“${written.join(', ')}” is not a model in Cairn; the session’s model answers.`);
  const [model] = models;
  // Copilot's former name for `agent`. In a command of any other tool, the key has no meaning.
  const isAgent = world === 'copilot' || world === 'cairn';
  const speakers = [value.agent, isAgent ? value.mode : undefined].filter((one) => one !== undefined);
  const modes = MODES_OF[world];
  const agent = speakers.find((one) => modes?.has(one.toLowerCase()) !== true);
  // A file can only restrict an agent's mode, never extend it.
  const workMode = modes && speakers.map((one) => one.toLowerCase()).find(isReading);
  const mapped =
    value.tools && mapToolNames(value.tools.map(withoutToolSet), TABLES[world] ?? COPILOT_TOOLS, 'other tools');
  for (const { message } of mapped?.unmapped ?? []) tell('tools', 'warning', message);
  if (value['disallowed-tools'] !== undefined)
    tell('disallowed-tools', 'warning', '“disallowed-tools” has no effect in Cairn; the session’s permissions apply.');
  const unfilled = [...new Set(own.body.match(OF_EDITOR) ?? [])];
  if (world === 'copilot' && unfilled.length > 0)
    tell('description', 'warning', `${unfilled.join(', ')} cannot be filled in: attach it to the message.`);
  if (value.mode !== undefined && !isAgent) tell('mode', 'note', '“mode” has no effect in Cairn.');
  if (value['user-invocable'] === false)
    tell('user-invocable', 'note', 'Models cannot start commands in Cairn, so it is offered to people anyway.');
  if (own.body === '') tell('description', 'warning', 'The command is empty. Write its prompt below the front matter.');
  const command: PromptCommand = {
    ...own,
    description: value.description ?? firstLine(own.body),
    hint: value['argument-hint'] ?? '',
    // Claude Code also accepts names separated by spaces.
    ...(value.arguments && { names: value.arguments.flatMap((one) => one.split(/\s+/)) }),
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
    ...(workMode && { workMode }),
    ...(mapped && { tools: mapped.tools }),
  };
  return { command, problems };
}

function isReading(mode: string): mode is ReadingMode {
  return mode === 'ask' || mode === 'plan';
}

const TABLES: Partial<Record<ContentWorld, typeof CLAUDE_TOOLS>> = {
  claude: CLAUDE_TOOLS,
  opencode: OPENCODE_TOOLS,
};

function firstLine(body: string): string {
  return (body.split('\n').find((line) => line.trim() !== '') ?? '').replace(/^#+\s*/, '').slice(0, 200);
}

function badName(yaml: FilePlace, name: string): ContentProblem {
  const message = `“${name}” is not a valid command name: start with a letter or digit, and use letters, digits, “_”, “.”, “:”, and “-”.`;
  return { kind: 'schema', severity: 'error', path: yaml.path, ...yaml.position(['name'], 'key'), message };
}
