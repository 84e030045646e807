import { splitFrontMatter } from '../../base/frontMatter';
import * as z from '../../base/zod';
import { checkContent, fileNote, noFrontMatter, notesOn, schemaKeys, unseenProblems } from '../content/checkContent';
import type { ContentBatch } from '../content/contentCatalog';
import type { ContentProblem, Meant } from '../content/contentProblem';
import { type ContentRoot, isBelow } from '../content/contentRoots';
import { filesOf, withPluginFolder } from '../content/filesBelow';
import { foreignFrontMatter } from '../content/foreignFrontMatter';
import { CLAUDE_TOOLS } from '../content/foreignToolNames';
import { readProblem, readText } from '../content/readText';
import { COYOTE_TOOLS, mapToolNames } from '../content/toolNames';
import { flagWord, hintText, plainName, spacedNames } from '../content/writtenNames';
import { readYaml, yamlReady } from '../content/yamlSource';
import type { FileSystem, PathStyle } from '../ports';
import type { Skill } from './skill';

const text = z.string();

/** The keys of Coyote and agentskills.io. */
export const skillSchema = z.strictObject({
  name: z.exactOptional(text),
  description: z.exactOptional(text),
  license: z.exactOptional(text),
  compatibility: z.exactOptional(z.unknown()),
  metadata: z.exactOptional(z.unknown()),
  'allowed-tools': z.exactOptional(spacedNames),
  enabled_tools: z.exactOptional(z.nullable(spacedNames)),
  enabled_mcp_servers: z.exactOptional(z.nullable(spacedNames)),
  auto_unload: z.exactOptional(flagWord),
  'argument-hint': z.exactOptional(hintText),
  'user-invocable': z.exactOptional(flagWord),
  // Earlier spelling used by VS Code.
  'user-invokable': z.exactOptional(flagWord),
  when_to_use: z.exactOptional(text),
  'disable-model-invocation': z.exactOptional(flagWord),
  context: z.exactOptional(z.unknown()),
  version: z.exactOptional(z.union([text, z.number()])),
});

/** An invalid value rejects the skill, since this key controls who may load it. */
const LIMITS = ['disable-model-invocation'];

/** Keys for how other programs offer a skill. */
const FOR_OTHERS = ['context'];

/** The limit of agentskills.io; other tools are less strict. */
const MAX_DESCRIPTION = 1024;
const TOO_LONG = `“description”: must not be longer than ${MAX_DESCRIPTION} characters.`;

/** Valid folder names of Cairn's skills; those of other tools may contain any letters. */
const SKILL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_NAME = 64;

/** Reads `<root>/<name>/SKILL.md`. Reports unreadable files as problems of the batch. */
export class SkillLoader {
  constructor(private readonly ports: { files: FileSystem; paths: PathStyle }) {}

  async readRoot(root: ContentRoot): Promise<ContentBatch<Skill>> {
    const { files, paths } = this.ports;
    const problems: ContentProblem[] = [];
    const onUnreadable = (path: string, error: unknown) => problems.push(readProblem(path, error));
    try {
      const levels = root.world === 'cairn' ? 2 : 5;
      const found = await filesOf(root, files, paths, { levels, onUnreadable });
      const own = skillFiles(found, root, paths);
      for (const path of found) if (isPart(path, own, root, paths)) problems.push(partOf(path, root));
      for (const path of found) if (isNone(path, own, root, paths)) problems.push(noSkill(path));
      const batches = own.map((path) => this.readFile(path, root));
      const read = await Promise.all(batches);
      return {
        items: read.flatMap(({ items }) => items),
        problems: [...problems, ...read.flatMap((one) => one.problems)],
      };
    } catch (error) {
      return { items: [], problems: [readProblem(root.folder, error)] };
    }
  }

  /** Reads one `SKILL.md`. */
  async readFile(path: string, root: ContentRoot): Promise<ContentBatch<Skill>> {
    const text = await readText(path, this.ports.files);
    if (typeof text !== 'string') return { items: [], problems: [text] };
    const { items, problems } = await this.readSkill(text, path, root);
    return { items, problems: [...problems, ...unseenProblems(path, text)] };
  }

  private async readSkill(text: string, path: string, root: ContentRoot): Promise<ContentBatch<Skill>> {
    const { paths } = this.ports;
    const folder = paths.dirname(path);
    const isOurs = root.world === 'cairn';
    const called = paths.basename(folder);
    const name = isOurs ? called : plainName(called).slice(0, MAX_NAME);
    const { head, headLine, body, unclosed } = (isOurs ? splitFrontMatter : foreignFrontMatter)(text);
    if (unclosed) return { items: [], problems: [noFrontMatter(path, unclosed)] };
    const settings = head ?? '';
    await yamlReady(settings);
    const mendBy = isOurs ? undefined : schemaKeys(skillSchema, []);
    const yaml = readYaml(settings, { path, firstLine: headLine, lenient: true, mendBy });
    const unknownKeys = isOurs && !root.openKeys ? 'error' : 'note';
    const options = { unknownKeys, ...(!isOurs && { limits: LIMITS }) } as const;
    const { value, problems } = checkContent(yaml, skillSchema, options);
    const problem = (
      key: string,
      severity: ContentProblem['severity'],
      message: string,
      meant?: Meant,
    ): ContentProblem => ({
      kind: 'schema',
      severity,
      path,
      ...yaml.position([key], 'key'),
      message,
      ...(meant && { meant }),
    });
    if (name === '' || (isOurs && !SKILL_NAME.test(name))) {
      const message = `“${called}” is not a valid skill name: use up to 64 letters, digits, dashes, and underscores.`;
      return { items: [], problems: [...problems, problem('name', 'error', message)] };
    }
    if (!value) return { items: [], problems };
    if (name !== called) problems.push(problem('name', 'note', `The skill is called “${name}” here.`));
    if ((value.description ?? '').length > MAX_DESCRIPTION) {
      problems.push(problem('description', isOurs ? 'error' : 'note', TOO_LONG));
      if (isOurs) return { items: [], problems };
    }
    const source = { scope: root.scope, world: root.world, path };
    // Only OpenCode uses the name in the file.
    const said = root.world === 'opencode' && SKILL_NAME.test(value.name ?? '') ? value.name : undefined;
    const made = skillOf(
      value,
      { name: said ?? name, source, folder, body: withPluginFolder(body.trim(), root) },
      (key, message, meant) => problem(key, 'warning', message, meant),
    );
    return { items: [made.skill], problems: [...problems, ...made.warnings, ...notesOn(value, FOR_OTHERS, yaml)] };
  }
}

/**
 * Returns the files of skills: for Cairn's own, exactly one folder down; for other tools also deeper, unless they are inside
 * another skill. Keeps the order.
 */
function skillFiles(found: readonly string[], root: Pick<ContentRoot, 'folder' | 'world'>, paths: PathStyle): string[] {
  const all = found.filter((path) => paths.basename(path) === 'SKILL.md' && paths.dirname(path) !== root.folder);
  const folders = all.map((path) => paths.dirname(path));
  return all.filter((path) => {
    if (root.world === 'cairn' && paths.dirname(paths.dirname(path)) !== root.folder) return false;
    return !folders.some((folder) => folder !== paths.dirname(path) && isBelow(path, folder, paths));
  });
}

/** Whether a file would be a skill if it were not inside the folder of another one, or too deep. */
function isPart(path: string, own: readonly string[], root: Pick<ContentRoot, 'folder' | 'world'>, paths: PathStyle) {
  return paths.basename(path) === 'SKILL.md' && paths.dirname(path) !== root.folder && !own.includes(path);
}

function partOf(path: string, { world }: Pick<ContentRoot, 'world'>): ContentProblem {
  const message =
    world === 'cairn'
      ? 'This is too deep to be a skill. Move its folder into the folder of skills.'
      : 'This is inside the folder of a skill, so it is part of it and not a skill of its own.';
  return fileNote(path, message);
}

/** Whether a file could be mistaken for a skill: it is next to the skill folders, or its name differs only in case. */
function isNone(path: string, own: readonly string[], root: Pick<ContentRoot, 'folder'>, paths: PathStyle): boolean {
  const [name, folder] = [paths.basename(path), paths.dirname(path)];
  if (folder === root.folder) return /\.md$/i.test(name);
  return (
    name !== 'SKILL.md' && /^skill\.md$/i.test(name) && !own.some((one) => isBelow(path, paths.dirname(one), paths))
  );
}

function noSkill(path: string): ContentProblem {
  return fileNote(path, 'This is not used: a skill is a folder with a file named SKILL.md.');
}

function skillOf(
  value: z.infer<typeof skillSchema>,
  own: Pick<Skill, 'name' | 'source' | 'folder' | 'body'>,
  warn: (key: string, message: string, meant?: Meant) => ContentProblem,
): { skill: Skill; warnings: ContentProblem[] } {
  const allowed = mapToolNames((value['allowed-tools'] ?? []).map(withoutLimit), CLAUDE_TOOLS, 'other tools');
  const enabled = mapToolNames((value.enabled_tools ?? []).map(withoutEnding), COYOTE_TOOLS, 'Coyote');
  const isOurs = own.source.world === 'cairn';
  const isCalledOtherwise = value.name !== undefined && value.name !== own.name;
  const otherName = `The skill is called “${own.name}”, like its folder; “name” says “${value.name}”.`;
  // Claude Code combines them in the same way.
  const said = [value.description, value.when_to_use].filter(Boolean).join(' ');
  const described = said || (isOurs ? '' : firstLine(own.body));
  const warnings = [
    ...allowed.unmapped.map(({ message, meant }) => warn('allowed-tools', message, meant)),
    ...enabled.unmapped.map(({ message, meant }) => warn('enabled_tools', message, meant)),
    ...(isCalledOtherwise ? [{ ...warn('name', otherName), severity: isOurs ? 'warning' : 'note' } as const] : []),
    ...(said ? [] : [warn('description', described ? `${BY_FIRST_LINE} ${DESCRIBE}` : `${UNKNOWN} ${DESCRIBE}`)]),
  ];
  const skill: Skill = {
    ...own,
    description: described,
    tools: [...new Set([...allowed.tools, ...enabled.tools])],
    servers: value.enabled_mcp_servers ?? [],
    autoUnload: value.auto_unload ?? false,
    forModel: value['disable-model-invocation'] !== true,
    ...((value['user-invocable'] ?? value['user-invokable']) === false && { notForPeople: true }),
    ...(value['argument-hint'] !== undefined && { hint: value['argument-hint'] }),
  };
  return { skill, warnings };
}

const UNKNOWN = 'Without a “description”, the model cannot know when to load this skill.';
const BY_FIRST_LINE = 'Without a “description”, the model knows this skill only by its first line.';
const DESCRIBE = 'Describe in one sentence when to use it.';

/** Claude Code's fallback for a missing description. */
function firstLine(body: string): string {
  const line = body.split('\n').find((one) => one.trim() !== '') ?? '';
  return line
    .replace(/^\s*#+\s*/, '')
    .trim()
    .slice(0, 200);
}

/** `Bash(git:*)` counts as `Bash`: permissions decide what may run. */
function withoutLimit(name: string): string {
  return name.endsWith(')') ? name.replace(/\([^]*$/, '') : name;
}

/** Coyote's tools are files. */
function withoutEnding(name: string): string {
  return name.replace(/\.(?:sh|py|ts|js)$/, '');
}
