import { readDotEnv } from '../../base/dotEnv';
import { nearest } from '../../base/nearest';
import type { AgentDefinition } from '../agents/agentDefinition';
import type { ContentCatalog } from '../content/contentCatalog';
import type { ContentProblem } from '../content/contentProblem';
import type { Named } from '../content/contentSource';
import { mapToolNames } from '../content/mapToolNames';
import { readText } from '../content/readText';
import { COYOTE_TOOLS } from '../content/toolNames';
import { EngineError } from '../engineError';
import type { RunOutcome } from '../events/runOutcome';
import type { Effort } from '../llm/model';
import type { ProviderRegistry } from '../llm/providerRegistry';
import { refuseElsewhere } from '../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../ports';
import type { Role } from '../roles/role';
import type { AutoContinueRules } from '../run/autoContinue';
import { DEFAULT_TURNS, lowerLimits, type RunLimits } from '../run/stopConditions';
import type { Sampling } from '../run/runContext';
import type { RunRequest } from '../run/runRequest';
import type { AgentSession } from '../sessions/agentSession';
import { struckVariables } from '../sessions/sessionMetadata';
import type { SessionMetadata } from '../sessions/sessionEntry';
import type { WantedScripts } from '../tools/toolSource';
import { type KnownVariables, knownVariables, variablesFromEnvironment } from './agentVariables';
import { environmentOverrides } from './environmentOverrides';

export interface RunPlanParts {
  agents: ContentCatalog<AgentDefinition>;
  roles: ContentCatalog<Role>;
  /** Answers where nobody chose an agent. */
  defaultAgent: string;
  environment: Readonly<Record<string, string | undefined>>;
  ports: { files: FileSystem; paths: PathStyle };
  /** What holds for every agent that does not say it itself. */
  autoContinues: () => boolean;
  autoContinueLimit: () => number;
  /** What a run of any agent may use up at most, unless the request says otherwise. */
  limits: () => RunLimits;
  defaultEffort: () => Effort | undefined;
  /** How deep agents may start others, whatever they say. */
  maxTaskDepth: number;
  /** How an agent wants to be answered that does not say it. */
  defaultSampling: Sampling;
  /** With other names of tools. */
  wantedScripts: () => WantedScripts;
  defaultModel(): Promise<string>;
  providers: Pick<ProviderRegistry, 'isReady'>;
}

/** Who answers, and how. */
export interface RunPlan {
  kind: 'planned';
  /** With what the environment changes in it. */
  agent: AgentDefinition;
  /** Somebody chose the agent; else a role may stand in its place. */
  chosen: boolean;
  role: Role | undefined;
  modelId: string;
  sampling: Sampling;
  /** The only tools that are offered; null: those of the agent. */
  onlyTools: readonly string[] | null;
  autoContinue: AutoContinueRules & { injects: boolean };
  variables: KnownVariables;
  /** What of the environment has no effect, a sentence each. */
  problems: readonly string[];
}

/** What is asked of an agent in a session, or before there is one. */
export type PlanRequest = Pick<RunRequest, 'agent' | 'role' | 'model' | 'effort' | 'variables' | 'tools'>;
export type PlanSession = Pick<SessionMetadata, 'agent' | 'role' | 'model' | 'variables'>;

/**
 * Finds agent and role, and settles what they, the session and the environment say; or why that is impossible. `own`: an agent
 * that stands in no file.
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

export interface Found<T> {
  kind: 'found';
  found: T;
}

/** With the tools that other names of its list stand for. */
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

/** The role of that name; `%code%` means `code`, as older versions of such names do. */
export async function findRole(roles: ContentCatalog<Role>, name: string): Promise<Found<Role> | RunOutcome> {
  const plain = /^%(.+)%$/.exec(name)?.[1];
  const found = (await roles.find(name)) ?? (plain === undefined ? undefined : await roles.find(plain));
  if (found) return { kind: 'found', found };
  return { kind: 'failed', reason: 'configuration', message: await unknown(roles, 'role', plain ?? name) };
}

/**
 * Answers where nobody chose an agent. One that only other agents start, or that nobody is shown, does not become that by its
 * name: then the one counts in front of which it stands.
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

/** `.env` beside an agent's configuration; empty when there is none. */
async function ownEnvironment(
  { folder, source }: AgentDefinition,
  { files, paths }: RunPlanParts['ports'],
): Promise<Map<string, string>> {
  if (folder === null) return new Map();
  const path = paths.resolve(folder, '.env');
  // That of a repository may be a link to somebody's real one.
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

/** An agent of another tool whose model is not ready here, without it; null where it counts or nothing is said. */
async function unmetWish(
  agent: AgentDefinition,
  written: AgentDefinition,
  { providers }: RunPlanParts,
): Promise<{ agent: AgentDefinition; problem: string } | null> {
  const { model, modelIsWish, ...rest } = agent;
  // What the environment says instead is the person's.
  if (model === undefined || !modelIsWish || model !== written.model || (await providers.isReady(model))) return null;
  const problem = `The agent ${agent.name} asks for ${model}, which is not available here; it uses its caller’s model.`;
  return { agent: rest, problem };
}

/** A role for one message comes before the session's model, the session's own role after it. */
async function modelOf({ request, session, role, agent }: Speakers, parts: RunPlanParts): Promise<string> {
  const forOnce = request.role === undefined ? undefined : role?.model;
  const said = request.model ?? forOnce ?? session.model ?? role?.model ?? agent.model;
  return said ?? (await parts.defaultModel());
}

function samplingOf(
  agent: AgentDefinition,
  role: Role | undefined,
  { defaultSampling, defaultEffort }: RunPlanParts,
  request: PlanRequest,
): Sampling {
  const temperature = role?.temperature ?? agent.temperature ?? defaultSampling.temperature;
  const topP = role?.topP ?? agent.topP ?? defaultSampling.topP;
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

/** Why what somebody asks for by name is not there, although its file is: the first error in that. */
export function brokenFile(name: string, problems: readonly ContentProblem[]): ContentProblem | undefined {
  const ends = ['.md', '.agent.md', '/config.yaml', '/graph.yaml', '/SKILL.md'].map((end) => `/${name}${end}`);
  return problems.find(({ severity, path }) => {
    const slashed = path.replaceAll('\\', '/');
    return severity === 'error' && ends.some((end) => slashed.endsWith(end));
  });
}

/**
 * What somebody said for this session is kept with it; defaults and the environment are looked at anew each time. What holds
 * a secret that `strike` knows is not kept, and has to be said anew for the next run.
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
