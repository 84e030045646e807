import { splitFrontMatter } from '../../base/frontMatter';
import * as z from '../../base/zod';
import { checkContent, noFrontMatter, schemaKeys, unseenProblems } from '../content/checkContent';
import type { ContentBatch } from '../content/contentCatalog';
import type { ContentProblem } from '../content/contentProblem';
import type { ContentRoot } from '../content/contentRoots';
import { filesBelow } from '../content/filesBelow';
import { readProblem, readText } from '../content/readText';
import { COYOTE_TOOLS, mapToolNames } from '../content/toolNames';
import { originalModelId, modelName, nameList } from '../content/writtenNames';
import { readYaml, yamlReady } from '../content/yamlSource';
import { effortSchema } from '../llm/model';
import type { FileSystem, PathStyle } from '../ports';
import type { Role } from './role';

const flag = z.exactOptional(z.boolean());
const words = z.exactOptional(z.string());
const names = z.exactOptional(z.nullable(nameList));

export const roleSchema = z.lazy(() =>
  z.strictObject({
    /** Present in some of Coyote's roles; the file name takes precedence. */
    name: words,
    description: words,
    answer: z.exactOptional(z.enum(['text', 'code'])),
    model: z.exactOptional(modelName),
    temperature: z.exactOptional(z.number().check(z.minimum(0), z.maximum(2))),
    top_p: z.exactOptional(z.number().check(z.minimum(0), z.maximum(1))),
    reasoning_effort: z.exactOptional(effortSchema),
    enabled_tools: names,
    /** AIChat's name for `enabled_tools`. */
    use_tools: names,
    enabled_mcp_servers: names,
    enabled_skills: names,
    skills_enabled: flag,
    auto_continue: flag,
    inject_todo_instructions: flag,
    inject_skill_instructions: flag,
    max_auto_continues: z.exactOptional(z.int().check(z.nonnegative())),
    continuation_prompt: words,
    skill_instructions: words,
  }),
);
type Fields = z.infer<typeof roleSchema>;

/** Reads `<root>/**.md`; the relative path is the name. Reports unreadable files as problems of the batch. */
export class RoleLoader {
  constructor(private readonly ports: { files: FileSystem; paths: PathStyle }) {}

  async readRoot(root: ContentRoot): Promise<ContentBatch<Role>> {
    const { files, paths } = this.ports;
    const problems: ContentProblem[] = [];
    const onUnreadable = (path: string, error: unknown) => problems.push(readProblem(path, error));
    try {
      const below = await filesBelow(root.folder, files, paths, { within: root.within, onUnreadable });
      const found = below.filter((path) => path.endsWith('.md'));
      const read = await Promise.all(found.map((path) => this.readFile(path, root)));
      return {
        items: read.flatMap(({ items }) => items),
        problems: [...problems, ...read.flatMap((one) => one.problems)],
      };
    } catch (error) {
      return { items: [], problems: [readProblem(root.folder, error)] };
    }
  }

  /** Reads one role. */
  async readFile(path: string, root: ContentRoot): Promise<ContentBatch<Role>> {
    const text = await readText(path, this.ports.files);
    if (typeof text !== 'string') return { items: [], problems: [text] };
    const { items, problems } = await this.readRole(text, path, root);
    return { items, problems: [...problems, ...unseenProblems(path, text)] };
  }

  private async readRole(text: string, path: string, root: ContentRoot): Promise<ContentBatch<Role>> {
    const { head, headLine, body, unclosed } = splitFrontMatter(text);
    if (unclosed) return { items: [], problems: [noFrontMatter(path, unclosed)] };
    await yamlReady(head ?? '');
    const yaml = readYaml(head ?? '', { path, firstLine: headLine, lenient: true });
    // Most roles were written for Coyote or AIChat, which have more keys, and model names without a provider.
    const limits = schemaKeys(roleSchema, []).filter((key) => key !== 'model');
    const { value, problems } = checkContent(yaml, roleSchema, { unknownKeys: 'misspelt', limits });
    if (!value) return { items: [], problems };
    const mapped = mapToolNames(
      (value.enabled_tools ?? value.use_tools ?? []).filter((name) => name !== 'all'),
      COYOTE_TOOLS,
      'Coyote',
    );
    const warnings = mapped.unmapped.map(({ message, meant }): ContentProblem => ({
      kind: 'schema',
      severity: 'warning',
      path,
      ...yaml.position(['enabled_tools'], 'key'),
      message,
      ...(meant && { meant }),
    }));
    const name = this.ports.paths.relative(root.folder, path).replace(/\.md$/, '');
    const source = { scope: root.scope, world: root.world, path };
    const own = { name, source, prompt: body.trim(), tools: toolsOf(value, mapped.tools) };
    return { items: [{ ...own, ...settingsOf(value) }], problems: [...problems, ...warnings] };
  }
}

function toolsOf({ enabled_tools, use_tools }: Fields, mapped: string[]): Role['tools'] {
  const written = enabled_tools === undefined ? use_tools : enabled_tools;
  if (written === undefined || written === null || written.includes('all')) return null;
  return mapped;
}

function settingsOf(value: Fields): Omit<Role, 'name' | 'source' | 'prompt' | 'tools'> {
  return {
    description: value.description ?? '',
    answer: value.answer ?? 'text',
    ...(value.model !== undefined && { model: originalModelId(value.model) }),
    ...(value.temperature !== undefined && { temperature: value.temperature }),
    ...(value.top_p !== undefined && { topP: value.top_p }),
    ...(value.reasoning_effort !== undefined && { effort: value.reasoning_effort }),
    servers: value.enabled_mcp_servers ?? [],
    skills: {
      ...(value.skills_enabled !== undefined && { on: value.skills_enabled }),
      ...(value.enabled_skills && { names: value.enabled_skills }),
      ...(value.inject_skill_instructions !== undefined && { injects: value.inject_skill_instructions }),
      ...(value.skill_instructions && { instructions: value.skill_instructions }),
    },
    autoContinue: {
      ...(value.auto_continue !== undefined && { on: value.auto_continue }),
      ...(value.max_auto_continues !== undefined && { max: value.max_auto_continues }),
      ...(value.inject_todo_instructions !== undefined && { injects: value.inject_todo_instructions }),
      ...(value.continuation_prompt && { prompt: value.continuation_prompt }),
    },
  };
}
