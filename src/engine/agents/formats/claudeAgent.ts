import { isRecord } from '../../../base/isRecord';
import * as z from '../../../base/zod';
import { checkContent, noFrontMatter, notesOn, schemaKeys } from '../../content/checkContent';
import type { ContentProblem, Meant } from '../../content/contentProblem';
import { foreignFrontMatter } from '../../content/foreignFrontMatter';
import { foreignModel } from '../../content/foreignModel';
import { CLAUDE_TOOLS, toolGaps } from '../../content/foreignToolNames';
import { type MappedTools, mapToolNames } from '../../content/toolNames';
import { agentName, countWord, flagWord, nameList, spacedNames } from '../../content/writtenNames';
import { readYaml } from '../../content/yamlSource';
import { EFFORTS, effortSchema } from '../../llm/model';
import type { PermissionRule } from '../../permissions/permissionRule';
import { agentDefaults, type AgentDraft, type AgentFile } from '../agentDefinition';
import { commandPatterns } from './permissionMap';

const text = z.string();

export const claudeAgentSchema = z.lazy(() =>
  z.strictObject({
    name: z.exactOptional(agentName),
    description: z.exactOptional(text),
    tools: z.exactOptional(z.union([spacedNames, z.record(text, z.boolean())])),
    disallowedTools: z.exactOptional(spacedNames),
    model: z.exactOptional(text),
    permissionMode: z.exactOptional(text),
    skills: z.exactOptional(nameList),
    mcpServers: z.exactOptional(z.unknown()),
    hooks: z.exactOptional(z.unknown()),
    memory: z.exactOptional(text),
    maxTurns: z.exactOptional(countWord),
    background: z.exactOptional(flagWord),
    isolation: z.exactOptional(text),
    color: z.exactOptional(text),
    effort: z.exactOptional(z.unknown()),
    initialPrompt: z.exactOptional(text),
  }),
);

/** Keys that change what the agent may do or know and have no counterpart in Cairn yet. */
const WITHOUT_EFFECT = [
  'permissionMode',
  'mcpServers',
  'hooks',
  'memory',
  'background',
  'isolation',
  'initialPrompt',
] as const;

/** Invalid values of these keys reject the file: without them the agent could do more than its author intended. */
const LIMITS = ['tools', 'disallowedTools'];

const NO_EFFORT = `“effort” is one of ${EFFORTS.join(', ')}; the model’s default applies.`;
const NO_TOOLS =
  '“tools” has no value, so the agent has no tools. Name some, or leave the key out to offer all of them.';
const READ_AS_LIST =
  '“tools” is a list of names. The agent has the tools that this map turns on, or without any, all but those that it turns off.';
const IN_PLAN = '“permissionMode” is “plan”, so the agent is in Plan mode: it reads and writes a plan.';
const CALLERS = 'the agent uses its caller’s model.';

/** Reads a file of `.claude/agents`: a subagent whose tools have Claude Code's names. */
export function readClaudeAgent({ text: file, source, name }: AgentFile): AgentDraft {
  const { head, headLine, body, unclosed } = foreignFrontMatter(file);
  if (head === null) return { agent: undefined, problems: [noFrontMatter(source.path, unclosed)] };
  const mendBy = schemaKeys(claudeAgentSchema, []);
  const yaml = readYaml(head, { path: source.path, firstLine: headLine, lenient: true, mendBy });
  const { value, problems } = checkContent(yaml, claudeAgentSchema, { unknownKeys: 'note', limits: LIMITS });
  if (!value) return { agent: undefined, problems };
  const warn = (key: string, message: string, meant?: Meant): ContentProblem => {
    const at = yaml.position([key], 'key');
    return { kind: 'schema', severity: 'warning', path: source.path, ...at, message, ...(meant && { meant }) };
  };
  const isEmpty = hasNoTools(yaml.data);
  const { on, off, told } = toolsIn(value.tools);
  const written = isEmpty ? [] : on;
  const offered = written && offeredClaudeTools(written);
  const denied = deniedClaudeTools([...off, ...(value.disallowedTools ?? [])]);
  const model = value.model === undefined ? undefined : foreignModel(value.model, 'claude');
  const effort = effortSchema.safeParse(value.effort).data;
  const warnings = [
    ...(isEmpty ? [warn('tools', NO_TOOLS)] : []),
    ...[...told, ...toolGaps(written, offered?.tools)].map((text) => warn('tools', text)),
    ...(offered?.unmapped ?? []).map(({ message, meant }) => warn('tools', message, meant)),
    ...denied.unmapped.map(({ message, meant }) => warn('disallowedTools', message, meant)),
    ...(model === null ? [warn('model', `“${value.model}” does not name a model; ${CALLERS}`)] : []),
    ...(value.effort !== undefined && effort === undefined ? [warn('effort', NO_EFFORT)] : []),
    ...withoutEffect(value, warn),
  ];
  const base = agentDefaults();
  const agent = {
    ...base,
    name: value.name ?? name,
    source,
    description: (value.description ?? '').replaceAll('\\n', '\n'),
    prompt: body.trim(),
    mode: 'subagent' as const,
    ...(model && { model, modelIsWish: true }),
    ...(effort !== undefined && { effort }),
    ...(value.permissionMode === 'plan' && { workMode: 'plan' as const }),
    tools: offered?.tools ?? null,
    rules: [...(offered?.rules ?? []), ...denied.rules],
    spawning: {
      ...base.spawning,
      on: offered?.tools.includes('agent__*') === true,
      agents: offered?.agents ?? null,
    },
    limits: value.maxTurns === undefined ? {} : { turns: value.maxTurns },
    preloadedSkills: value.skills ?? [],
  };
  return { agent, problems: [...problems, ...warnings, ...notesOn(value, ['color'], yaml)] };
}

function withoutEffect(
  value: z.infer<typeof claudeAgentSchema>,
  warn: (key: string, message: string) => ContentProblem,
): ContentProblem[] {
  return WITHOUT_EFFECT.filter((key) => value[key] !== undefined).map((key) =>
    key === 'permissionMode' && value[key] === 'plan'
      ? { ...warn(key, IN_PLAN), severity: 'note' }
      : warn(key, `“${key}” has no effect in Cairn; its own permission rules and settings apply.`),
  );
}

/** In Claude Code, `tools` without a value means no tools; without the key, an agent has all of them. */
function hasNoTools(head: unknown): boolean {
  return isRecord(head) && head['tools'] === null;
}

/** Reads `tools` as a list of names, or as OpenCode's map, which turns each tool on or off. */
function toolsIn(written: z.infer<typeof claudeAgentSchema>['tools']): {
  on: string[] | undefined;
  off: string[];
  told: string[];
} {
  if (written === undefined || Array.isArray(written)) return { on: written, off: [], told: [] };
  const named = (isOn: boolean) => Object.keys(written).filter((name) => written[name] === isOn);
  const on = named(true);
  return { on: on.length > 0 ? on : undefined, off: named(false), told: [READ_AS_LIST] };
}

interface ClaudeTools extends MappedTools {
  rules: PermissionRule[];
  /** Names that `Agent(…)` allows; null: all. */
  agents: string[] | null;
}

interface WrittenTool {
  name: string;
  /** The comma-separated parts in parentheses; empty if there are none. */
  limits: string[];
}

/** Reads `tools`: `Bash(git diff:*)` offers the tool for these commands only, `Agent(explore)` for these agents only. */
function offeredClaudeTools(names: readonly string[]): ClaudeTools {
  const written = names.map(parse);
  const mapped = mapNames(written);
  const limitsOf = (kinds: readonly string[]): string[] | null => {
    const these = written.filter(({ name }) => kinds.includes(name));
    return these.some(({ limits }) => limits.length === 0) ? null : these.flatMap(({ limits }) => limits);
  };
  const commands = limitsOf(['Bash']);
  const agents = limitsOf(['Agent', 'Task']);
  const unlimited = written.filter(({ name, limits }) => limits.length > 0 && !/^(?:Bash|Agent|Task)$/.test(name));
  return {
    tools: mapped.tools,
    unmapped: [...mapped.unmapped, ...unlimited.map(({ name, limits }) => withoutLimit(name, limits))],
    rules: commands && commands.length > 0 ? [NO_COMMAND, ...commandRules(commands, 'allow')] : [],
    agents: agents && agents.length > 0 ? agents : null,
  };
}

/** Reads `disallowedTools`: `Bash(rm:*)` denies only these commands, `Read(secrets/**)` only these files. */
function deniedClaudeTools(names: readonly string[]): Pick<ClaudeTools, 'unmapped' | 'rules'> {
  const written = names.map(parse);
  const unmapped: MappedTools['unmapped'] = [];
  const rules = written.flatMap(({ name, limits }): PermissionRule[] => {
    const mapped = mapNames([{ name, limits }]);
    unmapped.push(...mapped.unmapped);
    if (limits.length === 0) return mapped.tools.map((tool) => ({ tool, action: 'deny' }));
    if (name === 'Bash') return commandRules(limits, 'deny');
    // As in Claude Code, denying edits of a file also denies writing it.
    const tools = name === 'Edit' ? ['Edit', 'Write'].flatMap((one) => CLAUDE_TOOLS[one] ?? []) : mapped.tools;
    const onFiles = tools.filter((tool) => tool.startsWith('fs_'));
    const unfit = onFiles.length === 0 ? limits : limits.filter((limit) => pathPatterns(limit).length === 0);
    if (mapped.tools.length > 0 && unfit.length > 0) unmapped.push(withoutLimit(name, unfit));
    return onFiles.flatMap((tool) =>
      limits
        .flatMap(pathPatterns)
        .map((pattern) => ({ tool, action: 'deny', argument: { kind: 'path', pattern } }) as const),
    );
  });
  return { unmapped, rules };
}

const NO_COMMAND: PermissionRule = {
  tool: 'execute_command',
  action: 'deny',
  argument: { kind: 'regex', pattern: '' },
};

function parse(written: string): WrittenTool {
  const [, name = written, inside] = /^(\w+)\((.*)\)$/.exec(written) ?? [];
  const limits = (inside ?? '').split(',').map((limit) => limit.trim());
  return { name, limits: limits.filter((limit) => limit !== '' && limit !== '*') };
}

function mapNames(written: readonly WrittenTool[]): MappedTools {
  return mapToolNames(
    written.map(({ name }) => name),
    CLAUDE_TOOLS,
    'Claude Code',
  );
}

/** `git diff:*` is Claude Code's notation for `git diff *`. */
function commandRules(limits: readonly string[], action: 'allow' | 'deny'): PermissionRule[] {
  return limits
    .flatMap((limit) => commandPatterns(limit.replace(/:\*$/, ' *'), action))
    .map((argument) => ({ tool: 'execute_command', action, argument }));
}

/**
 * Converts a `.gitignore` pattern to wildcards over workspace-relative paths: a folder includes everything in it, and a pattern
 * without a slash applies in every folder. Returns none for places outside the workspace, such as `~/.ssh`.
 */
function pathPatterns(limit: string): string[] {
  if (/^(?:~|\/\/|[A-Za-z]:)/.test(limit)) return [];
  const path = limit.replace(/^\.?\//, '').replace(/\/$/, '');
  const isAnchored = path !== limit.replace(/\/$/, '') || path.includes('/');
  const below = isAnchored ? path : `**/${path}`;
  // "**/" also matches no folder at all.
  const ways = [below, below.replace(/^\*\*\//, ''), below.replaceAll('/**/', '/')];
  const all = [...new Set(ways)].map((way) => way.replaceAll('**', '*'));
  return all.flatMap((way) => (way.endsWith('*') ? [way] : [way, `${way}/*`]));
}

function withoutLimit(name: string, limits: readonly string[]): MappedTools['unmapped'][number] {
  const message = `The limit “${limits.join(', ')}” of “${name}” has no effect; permission rules say what it may do.`;
  return { name, message };
}
