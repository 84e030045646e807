import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  type ApprovalHandler,
  type ContextStrategy,
  createEngine as engineOf,
  type Engine,
  type EngineSettings,
  type Log,
  type Ports,
  type Resources,
  type RunMetadata,
  type ToolErrorRecovery,
  type UserPrompter,
} from '../engine';
import {
  type AgentSet,
  checkRunRequest,
  guardedStore,
  type ProgramRule,
  type ProgramStore,
  type SessionStorePorts,
} from '../engine/library';
import { configFolder as usualFolder } from '../node/configFolder';
import { environmentSettings } from '../node/environmentSettings';
import { machineFacts } from '../node/machineFacts';
import { nodePorts } from '../node/nodePorts';
import { checkedApprovals, checkedPrompter } from './checkedAnswers';
import { checkOptions } from './checkOptions';

export interface LibraryOptions {
  /** Trusted folder whose agents, roles and skills are used in addition to the user's and Cairn's. Default: the current directory. */
  workspace?: string;
  /** Where sessions, permission rules and the user's agents are stored. Default: `CAIRN_CONFIG_DIR`, or else `~/.config/cairn`. */
  configFolder?: string;
  /** Keys, addresses and agent overrides. Default: the process's environment. */
  env?: NodeJS.ProcessEnv;
  /** Override the environment. */
  settings?: Partial<EngineSettings>;
  /** Agents assembled by the program, with their defaults, depth and tools; they override files of the same name. */
  agents?: AgentSet;
  /** Rules for this engine only, never saved. What they deny is denied before any other rule is consulted. */
  rules?: readonly ProgramRule[];
  /** Creates the session store. Default: the configuration folder. `memorySessions()` keeps sessions in memory only. */
  sessions?: (ports: SessionStorePorts) => ProgramStore;
  /** Answers what the rules leave to the user. Default: there is no user, so it is rejected. */
  approvals?: ApprovalHandler;
  /** Answers agents' questions. Default: there is no user. */
  prompter?: UserPrompter;
  /** Data for the tools of every run that no model sees: `metadata` as JSON, `resources` of any kind. Runs may add more. */
  metadata?: RunMetadata;
  resources?: Resources;
  /** What happens when a tool call fails, unless the agent specifies it. Default: the model is told. */
  toolErrors?: ToolErrorRecovery;
  /** Decides what models see of a conversation. Default: whatever fits, with summaries when it gets too long. */
  contextStrategy?: ContextStrategy;
  /** Default: no logging. */
  log?: Log;
  /** Override this machine's ports. */
  ports?: Partial<Ports>;
}

/** Cairn's bundled assets, next to the bundle's folder. */
const ASSETS = join(import.meta.dirname, '..', 'assets');
const PAGE_WORKER = join(import.meta.dirname, 'web.js');

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const nobody: ApprovalHandler = { ask: () => Promise.resolve({ kind: 'reject', by: 'nobody' }) };
const nobodyAnswers: UserPrompter = { isNobody: true, ask: () => Promise.resolve({ kind: 'nobody' }) };

/**
 * Creates a Cairn engine in your program, on this machine. Stop it with `shutDown()`. Throws EngineError `invalid-input` if the
 * environment or an option is invalid.
 */
export function createEngine(options: LibraryOptions = {}): Engine {
  checkOptions(options);
  const { env = process.env, agents, log = silent } = options;
  const folder = resolve(options.configFolder ?? usualFolder(env));
  const workspace = resolve(options.workspace ?? '.');
  const model = agents?.defaults.model;
  const settings = environmentSettings(env, {
    ...(model !== undefined && { model: inOurs(model) }),
    ...options.settings,
  });
  const { temperature, topP, effort } = agents?.defaults ?? {};
  const { metadata, resources, toolErrors, rules, sessions, contextStrategy } = options;
  const engine = engineOf({
    ...(metadata && { metadata }),
    ...(resources && { resources }),
    ...(toolErrors && { toolErrors }),
    ...(contextStrategy && { contextStrategy }),
    checkRequest: checkRunRequest,
    ...(rules && { rules }),
    ...(sessions && { sessions: guardedStore(sessions) }),
    ports: { ...nodePorts({ env, ripgrepCandidates: [], pageWorker: PAGE_WORKER, log }), ...options.ports },
    settings: () => settings,
    approvals: options.approvals ? checkedApprovals(options.approvals, log) : nobody,
    prompter: options.prompter ? checkedPrompter(options.prompter) : nobodyAnswers,
    sessionsFolder: join(folder, 'sessions'),
    configFolder: folder,
    assetsFolder: ASSETS,
    homeFolder: homedir(),
    contentFolders: () => [workspace],
    platform: process.platform,
    machine: machineFacts(env),
    environment: env,
    defaultSampling: {
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { topP }),
      ...(effort !== undefined && { effort }),
    },
    ...(agents && { maxTaskDepth: agents.maxTaskDepth, toolNames: agents.tools.map(({ name }) => name) }),
  });
  for (const agent of agents?.agents ?? []) engine.agents.insert(agent);
  return engine;
}

/** Accepts `provider/model`, OpenCode's notation. */
function inOurs(model: string): string {
  const [provider = '', ...name] = model.split('/');
  return provider.includes(':') || name.length === 0 ? model : `${provider}:${name.join('/')}`;
}
