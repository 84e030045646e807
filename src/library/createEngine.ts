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
  /** Folder whose agents, roles and skills count besides the person's and ours, and which is trusted. Default: the current one. */
  workspace?: string;
  /** Where sessions, permission rules and the person's agents are. Default: `CAIRN_CONFIG_DIR`, else `~/.config/cairn`. */
  configFolder?: string;
  /** Keys, addresses and overrides of agents. Default: that of the process. */
  env?: NodeJS.ProcessEnv;
  /** Come before what the environment says. */
  settings?: Partial<EngineSettings>;
  /** Agents that a program put together, with their defaults, depth and tools; they win over files of the same name. */
  agents?: AgentSet;
  /** Hold for this engine alone and are written nowhere; what they deny is denied before all others are asked. */
  rules?: readonly ProgramRule[];
  /** Where sessions are kept. Default: in the configuration folder; `memorySessions()`: nowhere. */
  sessions?: (ports: SessionStorePorts) => ProgramStore;
  /** Answers what the rules leave to a person. Default: nobody is there, so it is refused. */
  approvals?: ApprovalHandler;
  /** Answers questions of agents. Default: nobody is there. */
  prompter?: UserPrompter;
  /** What the tools of every run may know and no model: as JSON, and things of any kind. Runs may bring more. */
  metadata?: RunMetadata;
  resources?: Resources;
  /** What becomes of calls of tools that fail, where an agent does not say it. Default: the model is told. */
  toolErrors?: ToolErrorRecovery;
  /** Decides what models see of a conversation. Default: what fits, and summaries when it gets too long. */
  contextStrategy?: ContextStrategy;
  /** Default: nothing is logged. */
  log?: Log;
  /** Instead of this machine's. */
  ports?: Partial<Ports>;
}

/** What comes with Cairn, beside the folder of the bundle. */
const ASSETS = join(import.meta.dirname, '..', 'assets');
const PAGE_WORKER = join(import.meta.dirname, 'web.js');

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const nobody: ApprovalHandler = { ask: () => Promise.resolve({ kind: 'reject', by: 'nobody' }) };
const nobodyAnswers: UserPrompter = { isNobody: true, ask: () => Promise.resolve({ kind: 'nobody' }) };

/**
 * The engine of Cairn in a program of yours, on this machine. End it with `shutDown()`. Throws EngineError `invalid-input` when
 * the environment or an option does not fit.
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

/** `provider/model`, as OpenCode writes it. */
function inOurs(model: string): string {
  const [provider = '', ...name] = model.split('/');
  return provider.includes(':') || name.length === 0 ? model : `${provider}:${name.join('/')}`;
}
