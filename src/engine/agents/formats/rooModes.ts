import { errorText } from '../../../base/errors';
import * as z from '../../../base/zod';
import { checkContent, fileNote, notesOn, schemaKeys, unseenProblems } from '../../content/checkContent';
import type { ContentBatch } from '../../content/contentCatalog';
import type { ContentProblem, ContentSource } from '../../content/contentProblem';
import type { ContentRoot } from '../../content/contentRoots';
import { filesBelow } from '../../content/filesBelow';
import { readProblem, readText } from '../../content/readText';
import { EDITING, PEOPLE, READING, SHELL, SKILLS, TODOS } from '../../content/toolNames';
import { agentName } from '../../content/writtenNames';
import { readYaml, type YamlSource, yamlReady } from '../../content/yamlSource';
import { EngineError } from '../../engineError';
import type { PermissionRule } from '../../permissions/permissionRule';
import { refuseElsewhere } from '../../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../../ports';
import { agentDefaults, type AgentDefinition } from '../agentDefinition';
import { pathPatterns } from './fileRegex';

interface Ports {
  files: FileSystem;
  paths: PathStyle;
}

const text = z.string();
const modeSchema = z.lazy(() =>
  z.strictObject({
    slug: agentName,
    name: z.exactOptional(text),
    roleDefinition: text,
    whenToUse: z.exactOptional(text),
    description: z.exactOptional(text),
    customInstructions: z.exactOptional(text),
    groups: z.array(z.unknown()),
    source: z.exactOptional(text),
    iconName: z.exactOptional(text),
  }),
);
type Mode = z.infer<typeof modeSchema>;
const modesSchema = z.lazy(() => z.strictObject({ customModes: z.array(z.unknown()) }));

/** Invalid values of these keys reject the mode: without them the agent could do more than its author intended. */
const LIMITS = ['slug', 'roleDefinition', 'groups'];
/** A group may have options, in one map or, as many write it, in several. */
const groupSchema = z.union([
  z.pipe(
    text,
    z.transform((name): unknown[] => [name]),
  ),
  z.array(z.unknown()),
]);
const optionsSchema = z.catch(z.object({ fileRegex: z.exactOptional(text) }), {});

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  read: [...READING, 'fs_ls', 'fs_glob', 'fs_grep'],
  edit: EDITING,
  command: SHELL,
  browser: ['fetch_url', 'web_search'],
  mcp: [],
  modes: [],
};
/** What every mode may use in Roo Code. */
const ALWAYS = [...TODOS, ...PEOPLE, ...SKILLS, 'agent__*'];

/** Maximum length of a file of rules. */
const CHARACTERS = 100_000;

/** Reads the modes as agents, each with the rules that are kept for it. Rules for modes that are not defined there are notes. */
export async function readRooModes(root: ContentRoot, ports: Ports): Promise<ContentBatch<AgentDefinition>> {
  const { folder: path, scope, world, within } = root;
  const rules = new ModeRules(path, within, ports);
  const problems: ContentProblem[] = [];
  const items: AgentDefinition[] = [];
  for (const source of await modesIn(path, within, ports, problems)) {
    const { value, problems: own } = checkContent(source, modeSchema, { unknownKeys: 'note', limits: LIMITS });
    problems.push(...own);
    if (!value) continue;
    problems.push(...notesOn(value, ['iconName'], source));
    const read = agentFrom(value, source, { scope, world, path });
    problems.push(...read.problems);
    const said = await rules.of(value.slug);
    items.push({ ...read.agent, prompt: [read.agent.prompt, ...said].join('\n\n') });
  }
  return { items, problems: [...problems, ...(await rules.rest())] };
}

async function modesIn(
  path: string,
  within: string | undefined,
  ports: Ports,
  problems: ContentProblem[],
): Promise<YamlSource[]> {
  const found = await ports.files.find(path).catch(() => undefined);
  if (!found) return [];
  try {
    if (within !== undefined) await refuseElsewhere(path, within, ports);
  } catch (error) {
    problems.push(readProblem(path, error));
    return [];
  }
  const written = await readText(path, ports.files);
  if (typeof written !== 'string') {
    problems.push(written);
    return [];
  }
  problems.push(...unseenProblems(path, written));
  await yamlReady(written);
  const yaml = readYaml(written, { path, lenient: true, mendBy: schemaKeys(modesSchema, []) });
  const { value, problems: own } = checkContent(yaml, modesSchema, { unknownKeys: 'note', limits: ['customModes'] });
  problems.push(...own);
  return (value?.customModes ?? []).map((data, at) => ({
    path,
    data,
    problems: [],
    position: (where, part, words) => yaml.position(['customModes', at, ...where], part, words),
  }));
}

function agentFrom(
  mode: Mode,
  yaml: YamlSource,
  source: ContentSource,
): { agent: AgentDefinition; problems: ContentProblem[] } {
  const problems: ContentProblem[] = [];
  const tell = (message: string): void => {
    const at = yaml.position(['groups'], 'key');
    problems.push({ kind: 'schema', severity: 'warning', path: source.path, ...at, message });
  };
  const groups = mode.groups.flatMap((written) => {
    const [name, ...options] = groupSchema.safeParse(written).data ?? [];
    if (typeof name === 'string' && GROUPS[name]) return [{ name, options }];
    tell(`“${typeof name === 'string' ? name : 'This'}” is not a group of tools, so it gives the agent none.`);
    return [];
  });
  const agent = {
    ...agentDefaults(),
    name: mode.slug,
    source,
    description: (mode.description ?? mode.whenToUse ?? mode.name ?? '').trim(),
    prompt: [mode.roleDefinition, mode.customInstructions ?? '']
      .map((one) => one.trim())
      .join('\n\n')
      .trim(),
    tools: [...groups.flatMap(({ name }) => GROUPS[name] ?? []), ...ALWAYS],
    ...(!groups.some(({ name }) => name === 'mcp') && { servers: [] }),
    rules: groups.flatMap(({ name, options }) => (name === 'edit' ? editRules(options, tell) : [])),
  };
  return { agent, problems };
}

/** Returns the rules for a mode that may edit only some files. */
function editRules(options: readonly unknown[], tell: (message: string) => void): PermissionRule[] {
  const regex = options.map((one) => optionsSchema.parse(one).fileRegex).find((one) => one !== undefined);
  if (regex === undefined) return [];
  const tool = 'category:write';
  const patterns = pathPatterns(regex);
  if (!patterns) {
    tell(`The “fileRegex” ${regex} is not checked by Cairn, so every edit of this agent asks.`);
    return [{ tool, action: 'ask' }];
  }
  const allowed = patterns.map((pattern): PermissionRule => ({
    tool,
    argument: { kind: 'path', pattern },
    action: 'allow',
  }));
  return [{ tool, action: 'deny', because: `The agent may edit only files that match ${regex}.` }, ...allowed];
}

/** The rules for single modes: `.roo/rules-code/`, or a file such as `.roorules-code`. */
class ModeRules {
  private readonly base: string;
  private readonly program: string;
  private readonly problems: ContentProblem[] = [];
  private readonly used = new Set<string>();
  private names: Promise<readonly string[]> | undefined;

  constructor(
    modesFile: string,
    private readonly within: string | undefined,
    private readonly ports: Ports,
  ) {
    this.base = ports.paths.dirname(modesFile);
    this.program = ports.paths.basename(modesFile).replace(/modes$/, '');
  }

  /** Returns the texts for a mode. */
  async of(slug: string): Promise<string[]> {
    const single = [`${this.program}rules-${slug}`, `.clinerules-${slug}`];
    for (const place of [`${this.program}/rules-${slug}`, ...single]) {
      if (!(await this.present()).includes(place)) continue;
      this.used.add(place);
      const texts = await this.textsIn(place);
      if (texts.length > 0) return texts;
    }
    return [];
  }

  /** Returns what went wrong, and a note for the rules of each mode that is not defined. */
  async rest(): Promise<ContentProblem[]> {
    const left = (await this.present()).filter((place) => !this.used.has(place) && !place.startsWith('.clinerules'));
    const notes = left.map((place) => {
      const message = `This is not used: “${place.replace(/^.*rules-/, '')}” is not a mode that is defined in ${this.program}modes.`;
      return fileNote(this.ports.paths.resolve(this.base, place), message);
    });
    return [...this.problems, ...notes];
  }

  private present(): Promise<readonly string[]> {
    this.names ??= Promise.all([this.namesIn('.'), this.namesIn(this.program)]).then(([own, inside]) => [
      ...own.filter((name) => name.startsWith(`${this.program}rules-`) || name.startsWith('.clinerules-')),
      ...inside.filter((name) => name.startsWith('rules-')).map((name) => `${this.program}/${name}`),
    ]);
    return this.names;
  }

  private async namesIn(folder: string): Promise<string[]> {
    const { files, paths } = this.ports;
    try {
      return (await files.readDirectory(paths.resolve(this.base, folder))).map(({ name }) => name);
    } catch (error) {
      if (EngineError.is(error)) return [];
      throw error;
    }
  }

  private async textsIn(place: string): Promise<string[]> {
    const { files, paths } = this.ports;
    const whole = paths.resolve(this.base, place);
    const onUnreadable = (path: string, error: unknown) => this.problems.push(readProblem(path, error));
    try {
      if (this.within !== undefined) await refuseElsewhere(whole, this.within, this.ports);
      const { kind } = await files.stat(whole);
      const found =
        kind === 'file' ? [whole] : await filesBelow(whole, files, paths, { within: this.within, onUnreadable });
      return (await Promise.all(found.map((path) => this.textOf(path)))).flat();
    } catch (error) {
      if (!EngineError.is(error)) throw error;
      this.problems.push(fileNote(whole, errorText(error)));
      return [];
    }
  }

  private async textOf(path: string): Promise<string[]> {
    const read = await readText(path, this.ports.files);
    if (typeof read !== 'string') {
      this.problems.push(read);
      return [];
    }
    this.problems.push(...unseenProblems(path, read));
    const source = this.ports.paths.relative(this.base, path);
    if (read.length > CHARACTERS) this.problems.push(tooLong(path));
    const said = read.slice(0, CHARACTERS).trim();
    return said === '' ? [] : [`# From ${source}\n${said}`];
  }
}

function tooLong(path: string): ContentProblem {
  return { ...fileNote(path, `Only the first ${CHARACTERS} characters are used.`), severity: 'warning' };
}
