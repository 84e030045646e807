import { mkdtemp, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type AgentEvent,
  type AgentHandle,
  type ApprovalAnswer,
  type ApprovalMode,
  type ApprovalRequest,
  createEngine,
  type Effort,
  type Engine,
  type EngineParts,
  engineSettingsSchema,
  type FileSystem,
  type Question,
  type QuestionAnswer,
  type Resources,
  type RunMetadata,
  type RunRequest,
  type ToolErrorRecovery,
  type WorkspaceScope,
} from '../../src/engine';
import { nodePorts } from '../../src/node/nodePorts';
import { ASSETS_FOLDER } from './assetsFolder';
import { PAGE_WORKER } from './pageWorker';
import { type ModelServer, startModelServer } from './modelServer/modelServer';
import type { Story } from './modelServer/story';

export interface WorldOptions {
  story?: Story;
  /** Maps file names to contents. */
  files?: Readonly<Record<string, string>>;
  approvalMode?: ApprovalMode;
  /** Default: allow once. */
  approve?: (request: ApprovalRequest, signal: AbortSignal) => ApprovalAnswer | Promise<ApprovalAnswer>;
  answer?: (question: Question, signal: AbortSignal) => QuestionAnswer | Promise<QuestionAnswer>;
  key?: string;
  /** The only key that the model accepts. Default: `test-key`. */
  acceptedKey?: string;
  /** The environment in which overrides of agents are looked up. */
  environment?: Readonly<Record<string, string>>;
  /** Additional environment variables of commands. */
  commandEnvironment?: Readonly<Record<string, string>>;
  /** The user's settings. */
  settings?: {
    model?: string;
    skills?: { enabled?: boolean; visible?: string[]; byDefault?: string[] };
    tools?: { visible?: string[]; enabled?: string[] };
    autoContinue?: boolean;
    autoContinueLimit?: number;
    limits?: Record<string, number>;
    idleTimeout?: number;
    temperature?: number;
    topP?: number;
    reasoningEffort?: Effort;
    openai?: { api?: 'responses' | 'chat' };
  };
  /** Available to the tools of every run. */
  metadata?: RunMetadata;
  resources?: Resources;
  /** How failing calls are handled. */
  toolErrors?: ToolErrorRecovery;
  /** Rules of the program that the engine runs in. */
  rules?: EngineParts['rules'];
  /** Wraps the file system. */
  disk?: (files: FileSystem) => FileSystem;
  /** Wraps each change of files. */
  edits?: EngineParts['edits'];
  /** Where sessions are stored. Default: on disk. */
  sessions?: EngineParts['sessions'];
  /** Where agents, skills, and roles are looked for. Default: the workspace. */
  contentFolders?: readonly string[];
  /** The shell that commands are said to run in. */
  commandShell?: string;
  /** Whether no user is there to answer questions. */
  isNobody?: boolean;
  /** The clock's time. Default: the real time. */
  now?: () => number;
  /** Sleeps by the clock. Default: for the real duration. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called for each call. Default: one trusted folder. */
  scope?: () => WorkspaceScope;
  /** The program's settings for all agents. */
  agents?: Pick<EngineParts, 'defaultSampling' | 'maxTaskDepth' | 'toolSource' | 'programFiles' | 'homeFolder'>;
}

/** A real engine on a real folder, with a scripted model behind HTTP. */
export interface EngineWorld {
  engine: Engine;
  server: ModelServer;
  /** The workspace. */
  folder: string;
  sessionsFolder: string;
  /** Contains the user's permission rules and the audit log. */
  configFolder: string;
  warnings: string[];
  /** The session that `run` uses. */
  sessionId: string;
  run(input: RunRequest['input'], request?: Partial<RunRequest>): AgentHandle;
  /** Runs to the end and returns the outcome and all events. */
  play(input: RunRequest['input'], request?: Partial<RunRequest>): Promise<Played>;
  read(file: string): Promise<string>;
  /** Opens the same folders with a new engine, as after a restart. */
  restart(): Promise<EngineWorld>;
}

export interface Played {
  outcome: Awaited<AgentHandle['outcome']>;
  events: AgentEvent[];
}

/** Creates a world, passes it to `use`, and cleans up in any case. */
export async function withWorld(options: WorldOptions, use: (world: EngineWorld) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'cairn-engine-'));
  const server = await startModelServer(options.story ?? [], {
    ...(options.acceptedKey !== undefined && { key: options.acceptedKey }),
  });
  const engines: Engine[] = [];
  try {
    const folder = join(root, 'workspace');
    await mkdir(folder);
    for (const [name, contents] of Object.entries(options.files ?? {})) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), contents);
    }
    await use(await openWorld(options, root, server, engines, undefined));
  } finally {
    await Promise.all(engines.map((engine) => engine.shutDown()));
    await server.close();
    await rm(root, { recursive: true, force: true });
  }
}

async function openWorld(
  options: WorldOptions,
  root: string,
  server: ModelServer,
  engines: Engine[],
  known: string | undefined,
): Promise<EngineWorld> {
  const folder = join(root, 'workspace');
  const sessionsFolder = join(root, 'sessions');
  const configFolder = join(root, 'config');
  const warnings: string[] = [];
  const engine = makeEngine(options, server, { sessionsFolder, configFolder }, folder, warnings);
  engines.push(engine);
  const approvalMode = options.approvalMode ?? 'nothing';
  const fresh = { workspace: folder, model: 'openai:test-model', approvalMode, name: null };
  const sessionId = known ?? (await engine.sessions.create(fresh)).id;
  const run: EngineWorld['run'] = (input, request) =>
    engine.run({ sessionId, ...(input !== undefined && { input }), ...request });
  return {
    ...{ engine, server, folder, sessionsFolder, configFolder, warnings, sessionId, run },
    async play(input, request) {
      const handle = run(input, request);
      const events: AgentEvent[] = [];
      handle.subscribe((event) => events.push(event));
      return { outcome: await handle.outcome, events };
    },
    read: (file) => readFile(join(folder, file), 'utf8'),
    restart: () => openWorld(options, root, server, engines, sessionId),
  };
}

/** The engine asks for its settings many times in each run, and making their schema takes longer than reading them. */
const settingsSchema = engineSettingsSchema();

function makeEngine(
  options: WorldOptions,
  server: ModelServer,
  folders: { sessionsFolder: string; configFolder: string },
  workspace: string,
  warnings: string[],
): Engine {
  const log = {
    info: () => undefined,
    warn: (message: string) => void warnings.push(message),
    error: (message: string) => void warnings.push(message),
  };
  const key = options.key ?? 'test-key';
  const env = {
    ...process.env,
    ...options.commandEnvironment,
    OPENAI_API_KEY: key,
    ANTHROPIC_API_KEY: key,
    CUSTOM_API_KEY: key,
  };
  const ports = nodePorts({ env, ripgrepCandidates: [], pageWorker: PAGE_WORKER, log });
  const clock = {
    now: options.now ?? (() => ports.clock.now()),
    sleep: options.sleep ?? ports.clock.sleep.bind(ports.clock),
  };
  return createEngine({
    ports: { ...ports, clock, files: options.disk?.(ports.files) ?? ports.files },
    settings: () =>
      settingsSchema.parse({
        ...options.settings,
        openai: { ...options.settings?.openai, baseUrl: server.url },
        anthropic: { baseUrl: server.url },
        custom: { baseUrl: server.url },
        // Unreachable, even if an Ollama runs on this machine.
        ollama: { baseUrl: 'http://127.0.0.1:9' },
      }),
    approvals: { ask: async (request, signal) => options.approve?.(request, signal) ?? { kind: 'once' } },
    prompter: {
      isNobody: options.isNobody === true,
      ask: async (question, signal) => options.answer?.(question, signal) ?? { kind: 'nobody' },
    },
    ...folders,
    assetsFolder: ASSETS_FOLDER,
    contentFolders: () => options.contentFolders ?? [workspace],
    platform: process.platform,
    machine: {
      ...{ shell: 'zsh', distribution: () => 'Test OS 1' },
      ...(options.commandShell !== undefined && { commandShell: () => options.commandShell ?? '' }),
    },
    ...(options.environment && { environment: options.environment }),
    ...(options.scope && { scope: options.scope }),
    ...options.agents,
    ...(options.metadata && { metadata: options.metadata }),
    ...(options.resources && { resources: options.resources }),
    ...(options.toolErrors && { toolErrors: options.toolErrors }),
    ...(options.rules && { rules: options.rules }),
    ...(options.edits && { edits: options.edits }),
    ...(options.sessions && { sessions: options.sessions }),
  });
}
