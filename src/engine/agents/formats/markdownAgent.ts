import { splitFrontMatter } from '../../../base/frontMatter';
import { isRecord } from '../../../base/isRecord';
import * as z from '../../../base/zod';
import { checkContent, noFrontMatter, notesOn, schemaKeys } from '../../content/checkContent';
import { type ContentProblem, type Meant, MEMORY } from '../../content/contentProblem';
import { foreignFrontMatter } from '../../content/foreignFrontMatter';
import { mapToolNames, OPENCODE_TOOLS, OWN_TOOLS } from '../../content/toolNames';
import { modelName, nameList } from '../../content/writtenNames';
import type { OpenCodeConfig } from '../../content/openCodeConfig';
import { readYaml, type YamlSource } from '../../content/yamlSource';
import { effortSchema } from '../../llm/model';
import { AGENT_MODES, agentDefaults, type AgentDefinition, type AgentDraft, type AgentFile } from '../agentDefinition';
import { agentFieldsSchema, definitionFrom, fieldsWithoutEffect } from './agentFields';
import { permissionListSchema, permissionMapSchema, readPermissionList, readPermissionMap } from './permissionMap';

const count = z.int().check(z.positive());
const flag = z.boolean();

/** OpenCode's keys and, for Cairn's own agents, those of `config.yaml`. */
export const markdownAgentSchema = z.extend(agentFieldsSchema, {
  mode: z.exactOptional(z.enum(AGENT_MODES)),
  hidden: z.exactOptional(flag),
  disable: z.exactOptional(flag),
  disabled: z.exactOptional(flag),
  steps: z.exactOptional(count),
  maxSteps: z.exactOptional(count),
  max_turns: z.exactOptional(count),
  max_cost: z.exactOptional(z.number().check(z.positive())),
  max_time: z.exactOptional(z.number().check(z.positive())),
  permission: z.exactOptional(permissionMapSchema),
  /** OpenCode 2's form of `permission`. */
  permissions: z.exactOptional(permissionListSchema),
  /** A list of names, or OpenCode's former on/off map. */
  tools: z.exactOptional(z.union([nameList, z.record(z.string(), flag)])),
  skills: z.exactOptional(nameList),
  variant: z.exactOptional(z.string()),
  /** OpenCode's spelling of `reasoning_effort`. */
  reasoningEffort: z.exactOptional(effortSchema),
  color: z.exactOptional(z.string()),
  graph: z.exactOptional(
    z
      .string()
      .check(z.regex(/^[\w-]+(?:\/[\w-]+)*\.yaml$/, 'must be the path of a .yaml file below this file’s folder')),
  ),
});
type Fields = z.infer<typeof markdownAgentSchema>;

/** Reads an agent written as Markdown: front matter, with the prompt as the body. */
export function readMarkdownAgent({ text, source, name, mode }: AgentFile): AgentDraft {
  const unknownKeys = source.world === 'opencode' ? 'note' : 'error';
  // Text passed in by a program is checked strictly, since the program can fix it.
  const isForeign = source.world === 'opencode' && source.path !== MEMORY;
  const split = isForeign ? foreignFrontMatter : splitFrontMatter;
  const { head, headLine, body, bodyLine, unclosed } = split(text);
  if (head === null && (unclosed || !isForeign))
    return { agent: undefined, problems: [noFrontMatter(source.path, unclosed)] };
  const mendBy = isForeign ? schemaKeys(markdownAgentSchema, []) : undefined;
  const yaml = readYaml(head ?? '', { path: source.path, firstLine: headLine, lenient: true, mendBy });
  const { value, problems } = checkedFields(yaml, unknownKeys, isForeign);
  if (!value) return { agent: undefined, problems };
  const made = definitionOf(value, yaml, {
    source,
    name: value.name ?? name,
    prompt: body.trim(),
    mode: mode ?? value.mode ?? agentDefaults().mode,
  });
  const isGraph = value.graph !== undefined;
  if (body.trim() === '' && !made.agent.disabled && !isGraph) problems.push(emptyPrompt(source.path, bodyLine));
  if (isGraph && source.scope === 'workspace') problems.push(graphElsewhere(yaml));
  const graph = isGraph && source.scope !== 'workspace' && { graphFile: value.graph };
  return { agent: made.agent, problems: [...problems, ...made.problems], ...graph };
}

function checkedFields(yaml: YamlSource, unknownKeys: 'note' | 'error', isForeign: boolean) {
  const { read, unfit } = isForeign ? withoutUnfit(yaml) : { read: yaml, unfit: [] };
  const checked = checkContent(read, markdownAgentSchema, { unknownKeys, ...(isForeign && { limits: LIMITS }) });
  return { value: checked.value, problems: [...unfit, ...checked.problems] };
}

/** OpenCode's built-in agents. An entry without a prompt only changes such an agent. */
const OF_OPENCODE = ['build', 'plan', 'general', 'explore', 'scout', 'title', 'summary', 'compaction'];
const FOR_ALL = ['permission', 'permissions', 'tools'] as const;

/** Reads the agents in OpenCode's settings. What the settings permit for all agents applies to those in the same file. */
export async function openCodeAgents(
  config: OpenCodeConfig,
  source: AgentDefinition['source'],
): Promise<{ items: AgentDefinition[]; problems: ContentProblem[] }> {
  const { data, problems } = config;
  const said = FOR_ALL.filter((key) => data[key] !== undefined);
  const general = Object.fromEntries(said.map((key) => [key, data[key]]));
  const basis = openCodeAgent(config.at([], general), { source, name: '', body: '' });
  problems.push(...basis.problems);
  const entries = config.entries(['mode', 'agent', 'agents']);
  for (const key of said) problems.push(forTheseOnly(config, key));
  if (data['default_agent'] !== undefined) problems.push(noDefault(config));
  const items: AgentDefinition[] = [];
  // Without the limits for all agents, each could do more than its author intended.
  for (const entry of basis.agent ? entries : []) {
    const { prompt, system, ...fields } = entry.value;
    const where = [entry.key, entry.name];
    const written = [system, prompt].find((one) => typeof one === 'string') ?? '';
    if (written === '' && OF_OPENCODE.includes(entry.name)) {
      const message = `“${entry.name}” only changes OpenCode’s built-in agent, which Cairn does not have, so it is not used.`;
      problems.push({ ...problemAt(config, where), severity: 'note', message });
      continue;
    }
    const body = await config.filled(written, where);
    const mode = entry.key === 'mode' ? ({ mode: 'primary' } as const) : {};
    const read = openCodeAgent(config.at(where, fields), { source, name: entry.name, body, ...mode });
    problems.push(...read.problems);
    if (read.agent && basis.agent) items.push(withBasis(read.agent, basis.agent));
    if (body.trim() === '' && read.agent?.disabled !== true)
      problems.push({
        ...problemAt(config, where),
        message: 'The agent has no instructions here. Write them as its prompt, or in a Markdown file of its name.',
      });
  }
  return { items, problems };
}

function openCodeAgent(
  yaml: YamlSource,
  { source, name, body, mode }: { body: string } & Pick<AgentFile, 'source' | 'name' | 'mode'>,
): { agent: AgentDefinition | undefined; problems: ContentProblem[] } {
  const { value, problems } = checkedFields(yaml, 'note', true);
  if (!value) return { agent: undefined, problems };
  const own = { source, name, prompt: body.trim(), mode: mode ?? value.mode ?? agentDefaults().mode };
  const made = definitionOf(value, yaml, own);
  return { agent: made.agent, problems: [...problems, ...made.problems] };
}

/** Puts what applies to all agents before what the agent says itself, since the last match counts. */
function withBasis(agent: AgentDefinition, basis: AgentDefinition): AgentDefinition {
  const skillRules = agent.skills.rules ?? basis.skills.rules;
  return {
    ...agent,
    tools: agent.tools ?? basis.tools,
    rules: [...basis.rules, ...agent.rules],
    taskTargets: agent.taskTargets ?? basis.taskTargets,
    ...(skillRules && { skills: { ...agent.skills, rules: skillRules } }),
  };
}

function problemAt(config: OpenCodeConfig, where: readonly string[]): Omit<ContentProblem, 'message'> {
  const yaml = config.at([], {});
  return { kind: 'schema', severity: 'warning', path: yaml.path, ...yaml.position(where, 'key') };
}

function forTheseOnly(config: OpenCodeConfig, key: string): ContentProblem {
  const message = `“${key}” applies to the agents in this file only. Rules for all agents belong in .cairn/permissions.json.`;
  return { ...problemAt(config, [key]), message };
}

function noDefault(config: OpenCodeConfig): ContentProblem {
  const message = '“default_agent” has no effect: files cannot change the default agent. Choose an agent in Cairn.';
  return { ...problemAt(config, ['default_agent']), message };
}

/** Invalid values of these keys reject the file: without them the agent could do more than its author intended. */
const LIMITS = ['tools', 'permission', 'permissions', 'mode', 'hidden', 'disable', 'disabled', 'skills'];

/**
 * Drops or converts values that a file written for another tool may have. An invalid model name does not reject the agent. A map
 * below the key that OpenCode 2 uses for its list is read as version 1's map, and a list below version 1's key as version 2's.
 */
function withoutUnfit(yaml: YamlSource): { read: YamlSource; unfit: ContentProblem[] } {
  const { data, path } = yaml;
  if (!isRecord(data)) return { read: yaml, unfit: [] };
  const read: Record<string, unknown> = { ...data };
  const unfit: ContentProblem[] = [];
  const tell = (key: string, message: string) =>
    unfit.push({ kind: 'schema', severity: 'warning', path, ...yaml.position([key], 'value'), message });
  const { permission, permissions } = data;
  const [model, variant] = typeof data['model'] === 'string' ? data['model'].split('#', 2) : [];
  if (variant !== undefined) {
    read['model'] = model;
    read['variant'] ??= variant;
  }
  if (model !== undefined && !modelName.safeParse(model).success) {
    delete read['model'];
    tell('model', `“${model}” does not name a provider, as in provider/model; the agent uses its caller’s model.`);
  }
  if (Array.isArray(permission) && permissions === undefined) {
    delete read['permission'];
    read['permissions'] = permission;
    tell('permission', '“permission” is a map; this list is read as “permissions”.');
  }
  if (isRecord(permissions) && !Array.isArray(permissions) && permission === undefined) {
    delete read['permissions'];
    read['permission'] = permissions;
    tell('permissions', '“permissions” is a list; this map is read as “permission”.');
  }
  return { read: { ...yaml, data: read }, unfit };
}

function definitionOf(
  fields: Fields,
  yaml: YamlSource,
  own: Pick<AgentDefinition, 'source' | 'name' | 'prompt' | 'mode'>,
): { agent: AgentDefinition; problems: ContentProblem[] } {
  const problems: ContentProblem[] = [];
  const warn: Warn = (where, message, meant) => {
    const at = yaml.position(where, 'key');
    problems.push({ kind: 'schema', severity: 'warning', path: yaml.path, ...at, message, ...(meant && { meant }) });
  };
  const { permissions: list } = fields;
  const said = list ? readPermissionList(list) : readPermissionMap(fields.permission ?? {});
  const { rules, taskTargets, skillRules, unmapped, saysOwnNames } = said;
  for (const { where, message, meant } of unmapped)
    warn(list ? ['permissions'] : ['permission', ...where], message, meant);
  const offered = offeredTools(fields, warn);
  const withoutEffect = fieldsWithoutEffect(fields);
  for (const { key, message } of withoutEffect) warn([key], message);
  const { reasoningEffort: effort = effortSchema.safeParse(fields.variant).data } = fields;
  if (fields.variant !== undefined && effort === undefined) warn(['variant'], '“variant” has no effect in Cairn.');
  problems.push(...notesOn(fields, ['color'], yaml));
  const common = definitionFrom({ ...(effort !== undefined && { reasoning_effort: effort }), ...fields });
  const turns = fields.max_turns ?? fields.steps ?? fields.maxSteps;
  const agent: AgentDefinition = {
    ...common,
    ...own,
    hidden: fields.hidden ?? common.hidden,
    ...((fields.disable || fields.disabled) && { disabled: true }),
    tools: offered.tools,
    ...(common.model !== undefined && own.source.world === 'opencode' && { modelIsWish: true }),
    toolNames: own.source.world === 'opencode' && !saysOwnNames && !offered.saysOwnNames ? 'opencode' : 'cairn',
    rules: [...offered.rules, ...rules],
    taskTargets,
    ...(skillRules && { skills: { ...common.skills, rules: skillRules } }),
    limits: {
      ...(turns !== undefined && { turns }),
      ...(fields.max_cost !== undefined && { costUsd: fields.max_cost }),
      ...(fields.max_time !== undefined && { timeMs: fields.max_time * 1000 }),
    },
    preloadedSkills: fields.skills ?? [],
    ...(withoutEffect.length > 0 && { lacks: withoutEffect.map(({ message }) => message) }),
  };
  return { agent, problems };
}

/**
 * Returns the warning for `graph` in a repository: in a folder of its own, the agent's scripts are inspected before they run, and
 * everything is in one place.
 */
function graphElsewhere(yaml: YamlSource): ContentProblem {
  const message = 'In a repository “graph” has no effect: put graph.yaml in a folder named like the agent.';
  return { kind: 'schema', severity: 'warning', path: yaml.path, ...yaml.position(['graph'], 'key'), message };
}

type Warn = (where: readonly PropertyKey[], message: string, meant?: Meant) => void;

interface Offered {
  tools: readonly string[] | null;
  rules: AgentDefinition['rules'];
  saysOwnNames: boolean;
}

function offeredTools(fields: Fields, warn: Warn): Offered {
  const { tools, global_tools: files } = fields;
  const names = [...(Array.isArray(tools) ? tools : []), ...(files ?? []).map((file) => file.replace(/\.\w+$/, ''))];
  const saysOwnNames = names.some((name) => OWN_TOOLS.includes(name));
  const mapped = mapToolNames(names, OPENCODE_TOOLS, 'OpenCode');
  const key = Array.isArray(tools) ? 'tools' : 'global_tools';
  for (const { message, meant } of mapped.unmapped) warn([key], message, meant);
  const listed = names.length > 0 || Array.isArray(tools) ? mapped.tools : null;
  if (!tools || Array.isArray(tools)) return { tools: listed, rules: [], saysOwnNames };
  const switched = readSwitches(tools, warn);
  return { ...switched, tools: switched.tools ?? listed, saysOwnNames };
}

/** Reads OpenCode's former switches: a tool that is on is offered; whether it may run is decided by the usual rules. */
function readSwitches(switches: Readonly<Record<string, boolean>>, warn: Warn): Pick<Offered, 'tools' | 'rules'> {
  let tools: Set<string> | null = null;
  const denied = new Set<string>();
  for (const [name, on] of Object.entries(switches)) {
    if (name === '*') {
      tools = on ? null : new Set();
      denied.clear();
      continue;
    }
    const { rules, taskTargets, unmapped } = readPermissionMap({ [name]: on ? 'allow' : 'deny' });
    for (const { where, message, meant } of unmapped) warn(['tools', ...where], message, meant);
    for (const tool of [...rules.map((rule) => rule.tool), ...(taskTargets ? ['task'] : [])]) {
      if (on) tools?.add(tool);
      else tools?.delete(tool);
      if (on) denied.delete(tool);
      else denied.add(tool);
    }
  }
  return { tools: tools && [...tools], rules: [...denied].map((tool) => ({ tool, action: 'deny' as const })) };
}

function emptyPrompt(path: string, line: number): ContentProblem {
  const message = 'The agent has no instructions. Write them below the front matter.';
  return { kind: 'schema', severity: 'warning', path, line, column: 1, message };
}
