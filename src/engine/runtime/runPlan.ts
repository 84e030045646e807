import { readDotEnv } from '../../base/dotEnv';
import { nearest } from '../../base/matching';
import type { AgentDefinition } from '../agents/agentDefinition';
import type { ContentCatalog } from '../content/contentCatalog';
import type { ContentProblem, Named } from '../content/contentProblem';
import { readText } from '../content/readText';
import { COYOTE_TOOLS, mapToolNames } from '../content/toolNames';
import { EngineError } from '../engineError';
import type { RunOutcome } from '../events/runOutcome';
import type { Effort } from '../llm/model';
import type { ProviderRegistry } from '../llm/providerRegistry';
import { refuseElsewhere } from '../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../ports';
import type { Role } from '../roles/role';
import type { AutoContinueRules } from '../run/autoContinue';
import type { Sampling } from '../run/runContext';
import type { RunRequest } from '../run/runRequest';
import { DEFAULT_TURNS, lowerLimits, type RunLimits } from '../run/stopConditions';
import type { AgentSession } from '../sessions/agentSession';
import type { SessionMetadata } from '../sessions/sessionEntry';
import { struckVariables } from '../sessions/sessionMetadata';
import type { WantedScripts } from '../tools/toolSource';
import { type KnownVariables, knownVariables, variablesFromEnvironment } from './agentVariables';
import { environmentOverrides } from './environmentOverrides';

export interface RunPlanParts {
  agents: ContentCatalog<AgentDefinition>;
  roles: ContentCatalog<Role>;
  /** Answers if no agent was chosen. */
  defaultAgent: string;
  environment: Readonly<Record<string, string | undefined>>;
  ports: { files: FileSystem; paths: PathStyle };
  /** Applies to every agent that does not specify it. */
  autoContinues: () => boolean;
  autoContinueLimit: () => number;
  /** Maximum limits of any agent's run, unless the request specifies others. */
  limits: () => RunLimits;
  defaultEffort: () => Effort | undefined;
  /** The user's sampling parameters for all agents. */
  usualSampling: () => { readonly temperature?: number | undefined; readonly topP?: number | undefined };
  /** How many levels deep agents may start others, whatever they specify. */
  maxTaskDepth: number;
  /** Sampling settings of agents that do not specify them. */
  defaultSampling: Sampling;
  /** Includes aliases of tools. */
  wantedScripts: () => WantedScripts;
  defaultModel(): Promise<string>;
  providers: Pick<ProviderRegistry, 'isReady'>;
}

/** Who answers, and how. */
export interface RunPlan {
  kind: 'planned';
  /** With the environment's changes applied. */
  agent: AgentDefinition;
  /** True if the agent was chosen explicitly; otherwise a role may replace it. */
  chosen: boolean;
  role: Role | undefined;
  modelId: string;
  sampling: Sampling;
  /** Restricts the tools offered. Null: all of the agent's. */
  onlyTools: readonly string[] | null;
  autoContinue: AutoContinueRules & { injects: boolean };
  variables: KnownVariables;
  /** Environment overrides without effect, one sentence each. */
  problems: readonly string[];
}

/** A request to an agent, in a session or before there is one. */
export type PlanRequest = Pick<RunRequest, 'agent' | 'role' | 'model' | 'effort' | 'variables' | 'tools'>;
type PlanSession = Pick<SessionMetadata, 'agent' | 'role' | 'model' | 'keptModel' | 'variables'>;

/**
 * Finds the agent and role, and combines their settings with those of the session and environment. Returns an outcome if that is
 * not possible. `own`: an agent that is not defined in a file.
 */
export async function planRun(
  parts: RunPlanParts,
  request: PlanRequest,
  session: PlanSession,
  own?: AgentDefinition,
): Promise<RunPlan | RunOutcome> {
  const named = request.agent ?? session.agent;
  const written: Found<AgentDefinition> | RunOutcome = own
    ? { kind: 'found', found: own }
    : await (named === null ? ownDefault(parts.agents, parts.defaultAgent) : lookUp(parts.agents, named));
  if (written.kind !== 'found') return written;
  const wantedRole = request.role ?? session.role;
  const played = wantedRole === null ? undefined : await findRole(parts.roles, wantedRole);
  if (played && played.kind !== 'found') return played;
  const role = played && withNamedTools(played.found, parts);
  try {
    const own = await ownEnvironment(written.found, parts.ports);
    const changed = environmentOverrides(written.found, { ...Object.fromEntries(own), ...parts.environment });
    const agent = withNamedTools(limited(noDeeper(changed.agent, parts.maxTaskDepth), parts.limits()), parts);
    const sources = [given(request.variables), given(session.variables), changed.variables];
    const variables = knownVariables(agent, [...sources, variablesFromEnvironment(agent, own)]);
    const wish = await unmetWish(agent, written.found, parts);
    const modelId = await modelOf({ request, session, role, agent: wish === null ? agent : wish.agent }, parts);
    const sampling = samplingOf(agent, role, parts, request);
    const autoContinue = autoContinueOf(agent, role, parts);
    const who = { agent, chosen: named !== null, role, modelId, onlyTools: request.tools ?? null };
    return {
      kind: 'planned',
      ...who,
      sampling,
      autoContinue,
      variables,
      problems: [...changed.problems, ...(wish ? [wish.problem] : [])],
    };
  } catch (error) {
    if (EngineError.is(error, 'no-key')) return { kind: 'failed', reason: 'no-key', message: error.message };
    if (!EngineError.is(error, 'invalid-input') && !EngineError.is(error, 'denied')) throw error;
    return { kind: 'failed', reason: 'configuration', message: error.message };
  }
}

function noDeeper(agent: AgentDefinition, maxTaskDepth: number): AgentDefinition {
  const { spawning } = agent;
  if (spawning.maxDepth <= maxTaskDepth) return agent;
  return { ...agent, spawning: { ...spawning, maxDepth: maxTaskDepth } };
}

function limited(agent: AgentDefinition, limits: RunLimits): AgentDefinition {
  const lower = lowerLimits(agent.limits, limits);
  return { ...agent, limits: { ...lower, turns: lower.turns ?? DEFAULT_TURNS } };
}

interface Found<T> {
  kind: 'found';
  found: T;
}

/** Returns the agent or role with the tools that the aliases in its list stand for. */
function withNamedTools<T extends { readonly tools: readonly string[] | null }>(
  one: T,
  { wantedScripts }: Pick<RunPlanParts, 'wantedScripts'>,
): T {
  const named = new Map(Object.entries(wantedScripts().mapping ?? {}));
  if (!one.tools?.some((name) => named.has(name))) return one;
  const tools = one.tools.flatMap((name) => {
    const members = named.get(name);
    return members ? mapToolNames(members, COYOTE_TOOLS, 'Coyote').tools : [name];
  });
  return { ...one, tools };
}

/** Finds the role of that name. `%code%` means `code`, as in older versions of such names. */
export async function findRole(roles: ContentCatalog<Role>, name: string): Promise<Found<Role> | RunOutcome> {
  const plain = /^%(.+)%$/.exec(name)?.[1];
  const found = (await roles.find(name)) ?? (plain === undefined ? undefined : await roles.find(plain));
  if (found) return { kind: 'found', found };
  return { kind: 'failed', reason: 'configuration', message: await unknown(roles, 'role', plain ?? name) };
}

/**
 * Returns the agent that answers if none was chosen. A hidden agent, or one that only other agents may start, does not become the
 * default by its name; the agent it replaced is used instead.
 */
async function ownDefault(
  agents: ContentCatalog<AgentDefinition>,
  name: string,
): Promise<Found<AgentDefinition> | RunOutcome> {
  const found = await lookUp(agents, name);
  if (found.kind !== 'found' || answersPeople(found.found)) return found;
  const other = (await agents.all()).findLast((one) => one.name === name && answersPeople(one));
  return other ? { kind: 'found', found: other } : found;
}

const answersPeople = ({ mode, hidden, disabled }: AgentDefinition) => mode !== 'subagent' && !hidden && !disabled;

async function lookUp(
  agents: ContentCatalog<AgentDefinition>,
  name: string,
): Promise<Found<AgentDefinition> | RunOutcome> {
  const found = await agents.find(name);
  if (found) return { kind: 'found', found };
  return { kind: 'failed', reason: 'unknown-agent', message: await unknown(agents, 'agent', name) };
}

async function unknown<T extends Named>(catalog: ContentCatalog<T>, what: string, name: string): Promise<string> {
  const broken = brokenFile(name, await catalog.problems());
  if (broken) {
    const { path, line, column, message } = broken;
    return `The ${what} “${name}” cannot be used because of ${path}:${line}:${column}: ${message}`;
  }
  const names = (await catalog.list()).map((one) => one.name);
  const meant = nearest(name, names);
  return `There is no ${what} “${name}”. ${meant === undefined ? 'Choose another one.' : `Did you mean “${meant}”?`}`;
}

/** Reads the `.env` next to an agent's configuration; empty if there is none. */
async function ownEnvironment(
  { folder, source }: AgentDefinition,
  { files, paths }: RunPlanParts['ports'],
): Promise<Map<string, string>> {
  if (folder === null) return new Map();
  const path = paths.resolve(folder, '.env');
  // A repository's `.env` may be a link to someone's real one.
  if (source.scope === 'workspace') await refuseElsewhere(path, folder, { files, paths });
  const text = await readText(path, files);
  return typeof text === 'string' ? readDotEnv(text) : new Map<string, string>();
}

interface Speakers {
  request: PlanRequest;
  session: PlanSession;
  role: Role | undefined;
  agent: AgentDefinition;
}

/**
 * Returns an agent of another tool without its model if that model is not ready here; null if the model can be used or none is
 * specified.
 */
async function unmetWish(
  agent: AgentDefinition,
  written: AgentDefinition,
  { providers }: RunPlanParts,
): Promise<{ agent: AgentDefinition; problem: string } | null> {
  const { model, modelIsWish, ...rest } = agent;
  // A model set in the environment is the user's choice.
  if (model === undefined || !modelIsWish || model !== written.model || (await providers.isReady(model))) return null;
  const problem = `The agent ${agent.name} asks for ${model}, which is not available here; it uses its caller’s model.`;
  return { agent: rest, problem };
}

/** A role for a single message overrides the session's model; the session's own role does not. */
async function modelOf({ request, session, role, agent }: Speakers, parts: RunPlanParts): Promise<string> {
  const forOnce = request.role === undefined ? undefined : role?.model;
  const said = request.model ?? forOnce ?? session.model ?? role?.model ?? agent.model;
  return said ?? session.keptModel ?? (await parts.defaultModel());
}

function samplingOf(
  agent: AgentDefinition,
  role: Role | undefined,
  { defaultSampling, usualSampling, defaultEffort }: RunPlanParts,
  request: PlanRequest,
): Sampling {
  const usual = usualSampling();
  const temperature = role?.temperature ?? agent.temperature ?? defaultSampling.temperature ?? usual.temperature;
  const topP = role?.topP ?? agent.topP ?? defaultSampling.topP ?? usual.topP;
  const effort = request.effort ?? role?.effort ?? agent.effort ?? defaultSampling.effort ?? defaultEffort();
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(effort !== undefined && { effort }),
  };
}

function autoContinueOf(
  { autoContinue: agent }: AgentDefinition,
  role: Role | undefined,
  { autoContinues, autoContinueLimit }: RunPlanParts,
): RunPlan['autoContinue'] {
  const own = role?.autoContinue ?? {};
  const prompt = own.prompt ?? agent.prompt;
  return {
    on: own.on ?? (agent.on || autoContinues()),
    max: own.max ?? agent.max ?? autoContinueLimit(),
    injects: own.injects ?? agent.injects,
    ...(prompt !== undefined && { prompt }),
  };
}

function given(values: Readonly<Record<string, string>> = {}): Map<string, string> {
  return new Map(Object.entries(values));
}

/** Returns the first error in the file of a named item, to explain why the item is missing although its file exists. */
export function brokenFile(name: string, problems: readonly ContentProblem[]): ContentProblem | undefined {
  const ends = ['.md', '.agent.md', '/config.yaml', '/graph.yaml', '/SKILL.md'].map((end) => `/${name}${end}`);
  return problems.find(({ severity, path }) => {
    const slashed = path.replaceAll('\\', '/');
    return severity === 'error' && ends.some((end) => slashed.endsWith(end));
  });
}

/** Returns the default model, which the session keeps if the request says so. */
export async function keepDefault(
  session: AgentSession,
  { keepsModel }: Pick<RunRequest, 'keepsModel'>,
  parts: Pick<RunPlanParts, 'defaultModel'>,
): Promise<string> {
  const keptModel = await parts.defaultModel();
  if (keepsModel) await session.configure({ keptModel });
  return keptModel;
}

/**
 * Stores the values the user gave for this session; defaults and the environment are read anew each time. A value that contains a
 * secret known to `strike` is not stored and has to be given again for the next run.
 */
export async function keepVariables(
  session: AgentSession,
  { variables: given = {} }: RunRequest,
  { variables: before }: RunPlan,
  values: ReadonlyMap<string, string>,
  strike: (text: string) => string = (text) => text,
): Promise<void> {
  const answered = Object.fromEntries([...values].filter(([name]) => !before.values.has(name)));
  const known = session.metadata.variables;
  const said = struckVariables({ ...given, ...answered }, strike);
  if (Object.entries(said).some(([name, value]) => known[name] !== value)) {
    await session.configure({ variables: { ...known, ...said } });
  }
}
