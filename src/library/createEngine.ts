import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AbortError, untilAborted } from '../base/abort';
import { errorText } from '../base/errors';
import * as z from '../base/zod';
import {
  type ApprovalAnswer,
  type ApprovalHandler,
  type ApprovalRequest,
  type ContextStrategy,
  createEngine as engineOf,
  type Engine,
  EngineError,
  type EngineSettings,
  engineSettingsSchema,
  type Log,
  type Ports,
  type QuestionAnswer,
  Resources,
  type RunMetadata,
  type ToolErrorRecovery,
  type UserPrompter,
} from '../engine';
import {
  AgentSet,
  callable,
  checkRunRequest,
  fields,
  guardedStore,
  issuesOf,
  type ProgramRule,
  type ProgramStore,
  type SessionStorePorts,
} from '../engine/library';
import { configFolder as usualFolder } from '../node/configFolder';
import { environmentSettings } from '../node/environmentSettings';
import { machineFacts } from '../node/machineFacts';
import { nodePorts } from '../node/nodePorts';

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

const text = z.optional(z.string());
const anything = z.optional(z.unknown());
const port = z.optional(z.object({}));
const method = z.optional(callable);

const portsSchema = fields({
  files: port,
  paths: port,
  search: port,
  processes: port,
  web: port,
  clock: port,
  secrets: port,
  log: port,
  fetch: method,
  strike: method,
  strikePieces: method,
  secretsKnown: method,
});

const optionsSchema = fields({
  workspace: text,
  configFolder: text,
  env: z.optional(z.object({})),
  settings: z.optional(fields(engineSettingsSchema().shape)),
  agents: z.optional(z.custom((value) => value instanceof AgentSet, 'expected what AgentRuntimeBuilder.build() gives')),
  rules: z.optional(z.array(z.object({}))),
  sessions: z.optional(
    z.custom(
      (value) => typeof value === 'function',
      'expected a function that creates a store, such as memorySessions()',
    ),
  ),
  approvals: z.optional(z.object({ ask: callable })),
  prompter: z.optional(z.object({ ask: callable })),
  /** Checked in detail where it is stored. */
  metadata: anything,
  resources: z.optional(
    z.custom((value) => value instanceof Resources, 'expected what Resources.none.with(key, value) gives'),
  ),
  toolErrors: method,
  contextStrategy: z.optional(z.object({ name: z.string().check(z.minLength(1)), fit: callable })),
  log: z.optional(z.object({ info: callable, warn: callable, error: callable })),
  ports: z.optional(portsSchema),
});

/** Checks options, which plain JavaScript may pass untyped. Throws EngineError `invalid-input` naming each invalid option. */
function checkOptions(options: unknown): void {
  const { error } = optionsSchema.safeParse(options);
  if (!error) return;
  throw new EngineError(
    'invalid-input',
    `The engine was not created, because its options are not valid: ${issuesOf(error)}.`,
  );
}

const proposal = { contents: z.exactOptional(z.string()), basedOn: z.exactOptional(z.string()) };
const approvalSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('once'), ...proposal }),
  z.strictObject({ kind: z.literal('always'), offer: z.unknown(), ...proposal }),
  z.strictObject({
    kind: z.literal('reject'),
    reason: z.exactOptional(z.string()),
    by: z._default(z.enum(['person', 'nobody']), 'person'),
  }),
]);

/**
 * Wraps an approval handler of a program, whose answers may be anything regardless of their type: only a recognized yes allows a
 * call. An answer that throws or is invalid rejects the call with the reason and is logged.
 */
function checkedApprovals(handler: ApprovalHandler, log: Log): ApprovalHandler {
  return {
    async ask(request, signal) {
      try {
        return answerTo(request, await untilAborted(Promise.resolve(handler.ask(request, signal)), signal));
      } catch (error) {
        if (signal.aborted) throw new AbortError();
        const failed = `The approval handler of the program failed: ${errorText(error).replace(/\.$/, '')}.`;
        log.error(failed, error);
        return { kind: 'reject', by: 'nobody', reason: failed };
      }
    },
  };
}

function answerTo({ offers }: ApprovalRequest, given: unknown): ApprovalAnswer {
  const { data } = approvalSchema.safeParse(given);
  if (!data)
    throw new TypeError('its answer is not valid; return { kind: "once" }, "always" with an offer, or "reject"');
  if (data.kind !== 'always') return data;
  const offer = offers.find((one) => isDeepStrictEqual(one, data.offer));
  if (!offer) throw new TypeError('its answer "always" names none of the request’s offers');
  return { ...data, offer };
}

const questionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('answered'), texts: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('nobody') }),
]);

/**
 * Wraps a prompter of a program, whose answers may be anything regardless of their type. Rejects with EngineError `invalid-input`
 * saying what is wrong with the answer, and with AbortError.
 */
function checkedPrompter(prompter: UserPrompter): UserPrompter {
  return {
    ...(prompter.isNobody !== undefined && { isNobody: prompter.isNobody }),
    async ask(question, signal) {
      try {
        return answerOf(await untilAborted(Promise.resolve(prompter.ask(question, signal)), signal));
      } catch (error) {
        if (signal.aborted) throw new AbortError();
        const why = errorText(error).replace(/\.$/, '');
        const text = `The prompter of the program failed: ${why}. Go on without an answer, and say so.`;
        throw new EngineError('invalid-input', text, { cause: error });
      }
    },
  };
}

function answerOf(given: unknown): QuestionAnswer {
  const { data } = questionSchema.safeParse(given);
  if (data) return data;
  throw new TypeError('its answer is not valid; return { kind: "answered", texts: ["…"] } or { kind: "nobody" }');
}
