import type { AgentDefinition } from '../agents/agentDefinition';
import { coyoteTools } from '../agents/formats/coyoteTools';
import { type MappedTools, mapToolNames, OPENCODE_TOOLS } from '../content/toolNames';
import { modelId, modelName } from '../content/writtenNames';
import { EngineError } from '../engineError';
import { EFFORTS, effortSchema } from '../llm/model';

/** The agent as changed by the environment, and the variable values from it. */
interface Overridden {
  agent: AgentDefinition;
  variables: ReadonlyMap<string, string>;
  /** Overrides without effect, one sentence each. */
  problems: readonly string[];
}

/**
 * Applies `<AGENT>_MODEL`, `_TEMPERATURE`, `_TOP_P`, `_REASONING_EFFORT`, `_AGENT_SESSION`, and as JSON `_GLOBAL_TOOLS`,
 * `_MCP_SERVERS`, and `_VARIABLES`; `null` removes a value. Throws an EngineError `invalid-input` that names the variable if a
 * value is invalid.
 */
export function environmentOverrides(
  agent: AgentDefinition,
  environment: Readonly<Record<string, string | undefined>>,
): Overridden {
  const prefix = agent.name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
  const read = <T>(suffix: string, parse: (text: string, name: string) => T): T | null | undefined => {
    const name = `${prefix}_${suffix}`;
    const text = environment[name]?.trim();
    if (text === undefined || text === '') return undefined;
    return text === 'null' ? null : parse(text, name);
  };
  const changed = { ...agent };
  const model = read('MODEL', (text, name) => {
    if (!modelName.safeParse(text).success) throw wrong(name, text, 'a model, written provider:model');
    return modelId(text);
  });
  const temperature = read('TEMPERATURE', (text, name) => numberIn(text, name, 2));
  const topP = read('TOP_P', (text, name) => numberIn(text, name, 1));
  const effort = read('REASONING_EFFORT', (text, name) => {
    const { data } = effortSchema.safeParse(text);
    if (data === undefined) throw wrong(name, text, `one of ${EFFORTS.join(', ')}`);
    return data;
  });
  const sessionName = read('AGENT_SESSION', (text) => text);
  const files = read('GLOBAL_TOOLS', stringList);
  const variables = read('VARIABLES', stringMap);
  put(changed, 'model', model);
  put(changed, 'temperature', temperature);
  put(changed, 'topP', topP);
  put(changed, 'effort', effort);
  put(changed, 'sessionName', sessionName);
  put(changed, 'servers', read('MCP_SERVERS', stringList));
  const mapped = files === undefined ? undefined : toolsFrom(files, changed);
  if (mapped) changed.tools = mapped.tools;
  const problems = mapped?.unmapped.map(({ message }) => `${prefix}_GLOBAL_TOOLS: ${message}`) ?? [];
  return { agent: changed, variables: variables ?? new Map(), problems };
}

/** Returns the agent's tools as if its file listed these, or none. */
function toolsFrom(
  files: readonly string[] | null,
  agent: AgentDefinition,
): Pick<AgentDefinition, 'tools'> & Pick<MappedTools, 'unmapped'> {
  if (agent.folder !== null) return coyoteTools(files ?? [], agent);
  if (files === null) return { tools: null, unmapped: [] };
  return mapToolNames(files.map(withoutEnding), OPENCODE_TOOLS, 'OpenCode');
}

function withoutEnding(file: string): string {
  return file.replace(/\.(sh|py|ts|js)$/, '');
}

type Optional = 'servers' | 'model' | 'temperature' | 'topP' | 'effort' | 'sessionName';

function put<K extends Optional>(agent: AgentDefinition, key: K, value: AgentDefinition[K] | null | undefined): void {
  if (value === undefined) return;
  if (value === null) Reflect.deleteProperty(agent, key);
  else agent[key] = value;
}

function numberIn(text: string, name: string, max: number): number {
  const value = Number(text);
  if (!(value >= 0 && value <= max)) throw wrong(name, text, `a number from 0 to ${max}`);
  return value;
}

function stringList(text: string, name: string): string[] {
  const value = json(text, name);
  if (!Array.isArray(value)) throw wrong(name, text, 'a list of names as JSON');
  return value.map((item: unknown) => {
    if (typeof item !== 'string') throw wrong(name, text, 'a list of names as JSON');
    return item;
  });
}

function stringMap(text: string, name: string): Map<string, string> {
  const value = json(text, name);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(name, text, 'an object of values as JSON');
  return new Map(Object.entries(value).map(([key, one]) => [key, String(one)]));
}

function json(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw wrong(name, text, 'JSON');
  }
}

function wrong(name: string, text: string, wanted: string): EngineError {
  return new EngineError('invalid-input', `The environment variable ${name} is “${text}”; it must be ${wanted}.`);
}
