import * as z from 'zod';
import { splitFrontMatter } from '../../../base/frontMatter';
import { checkContent } from '../../content/checkContent';
import type { ContentProblem, Meant } from '../../content/contentProblem';
import { readYaml } from '../../content/yamlSource';
import { EFFORTS, effortSchema } from '../../llm/effort';
import { agentDefaults } from '../agentDefinition';
import { agentName } from './agentName';
import type { AgentDraft, AgentFile } from './agentDraft';
import { noFrontMatter } from '../../content/noFrontMatter';
import { notesOn } from '../../content/notesOn';
import { nameList } from '../../content/nameList';
import { deniedClaudeTools, offeredClaudeTools } from './claudeTools';

const text = z.string();

export const claudeAgentSchema = z.lazy(() =>
  z.strictObject({
    name: z.exactOptional(agentName),
    description: z.exactOptional(text),
    tools: z.exactOptional(nameList),
    disallowedTools: z.exactOptional(nameList),
    model: z.exactOptional(text),
    permissionMode: z.exactOptional(text),
    skills: z.exactOptional(nameList),
    mcpServers: z.exactOptional(z.unknown()),
    hooks: z.exactOptional(z.unknown()),
    memory: z.exactOptional(text),
    maxTurns: z.exactOptional(z.int().positive()),
    background: z.exactOptional(z.boolean()),
    isolation: z.exactOptional(text),
    color: z.exactOptional(text),
    effort: z.exactOptional(z.unknown()),
    initialPrompt: z.exactOptional(text),
  }),
);

/** Keys that change what the agent may do or know, and have no counterpart here yet. */
const WITHOUT_EFFECT = [
  'permissionMode',
  'mcpServers',
  'hooks',
  'memory',
  'background',
  'isolation',
  'initialPrompt',
] as const;

/** The families behind Claude Code's short names. */
export const CLAUDE_MODELS: Readonly<Record<string, string>> = {
  sonnet: 'anthropic:claude-sonnet-5-5',
  opus: 'anthropic:claude-opus-5-5',
  haiku: 'anthropic:claude-haiku-5-5',
};

/** A file of `.claude/agents`: other agents start it, with tools by Claude Code's names. */
export function readClaudeAgent({ text: file, source, name }: AgentFile): AgentDraft {
  const { head, headLine, body, unclosed } = splitFrontMatter(file);
  if (head === null) return { agent: undefined, problems: [noFrontMatter(source.path, unclosed)] };
  const yaml = readYaml(head, { path: source.path, firstLine: headLine, lenient: true });
  const { value, problems } = checkContent(yaml, claudeAgentSchema, { unknownKeys: 'warning' });
  if (!value) return { agent: undefined, problems };
  const warn = (key: string, message: string, meant?: Meant): ContentProblem => {
    const at = yaml.position([key], 'key');
    return { kind: 'schema', severity: 'warning', path: source.path, ...at, message, ...(meant && { meant }) };
  };
  const offered = value.tools && offeredClaudeTools(value.tools);
  const denied = deniedClaudeTools(value.disallowedTools ?? []);
  const model = value.model === undefined ? undefined : claudeModel(value.model);
  const effort = effortSchema.safeParse(value.effort).data;
  const warnings = [
    ...(offered?.unmapped ?? []).map(({ message, meant }) => warn('tools', message, meant)),
    ...denied.unmapped.map(({ message, meant }) => warn('disallowedTools', message, meant)),
    ...(model === null
      ? [warn('model', `“${value.model}” names no model; the agent uses the one of its caller.`)]
      : []),
    ...(value.effort !== undefined && effort === undefined
      ? [warn('effort', `“effort” is one of ${EFFORTS.join(', ')}; the agent thinks as its model does by itself.`)]
      : []),
    ...WITHOUT_EFFECT.filter((key) => value[key] !== undefined).map((key) =>
      warn(key, `“${key}” has no effect in Cairn; its own permission rules and settings apply.`),
    ),
  ];
  const base = agentDefaults();
  const agent = {
    ...base,
    ...{ name: value.name ?? name, source, description: value.description ?? '', prompt: body.trim() },
    mode: 'subagent' as const,
    ...(model && { model }),
    ...(effort !== undefined && { effort }),
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

/** Undefined: the caller's. Null: nobody knows it. */
function claudeModel(written: string): string | null | undefined {
  if (written === 'inherit' || written === 'default') return undefined;
  if (Object.hasOwn(CLAUDE_MODELS, written)) return CLAUDE_MODELS[written];
  return /^claude-\S+$/.test(written) ? `anthropic:${written}` : null;
}
