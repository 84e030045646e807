import { version } from '../../../../package.json';
import * as z from '../../../base/zod';
import {
  type AgentDefinition,
  type AgentEvent,
  type ApprovalMode,
  type Engine,
  EngineError,
  limitText,
  type RunOutcome,
  type RunRequest,
  type ToolResult,
  toolSpecs,
} from '../../../engine';
import type { ClientApprovals } from './clientApprovals';

export interface ServedEngine {
  engine: Engine;
  /** The working directory, absolute. */
  workspace: string;
  approvalMode: ApprovalMode;
  /** Asks through the client that started the server, once it declares support; absent when nothing is to be asked. */
  approvals?: Pick<ClientApprovals, 'connect'> | undefined;
  /** Applies to each task. */
  run: Pick<RunRequest, 'workMode' | 'agent' | 'model' | 'role' | 'effort' | 'limits' | 'variables'>;
}

/** The result of a call, in the format of the protocol. */
interface Answer {
  content: ({ type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string })[];
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  [key: string]: unknown;
}

/** The user may take a day to answer. Canceling a call withdraws its question. */
const ANSWER_MS = 86_400_000;

interface Caller {
  signal: AbortSignal;
  /** Reports progress to the caller, if it asked for that. */
  tell: (text: string) => void;
}

/**
 * Offers agents and tools to another program over standard input and output until that program ends. What the rules ask about is
 * asked through that program if it supports it and `approvals` is given; otherwise it is rejected, since there is no user to ask.
 */
export async function serveMcp(served: ServedEngine): Promise<void> {
  const { CallToolRequestSchema, ListToolsRequestSchema, Server, StdioServerTransport } =
    await import('./mcpServerLibrary');
  const server = new Server({ name: 'cairn', version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: await offeredTools(served.engine) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const token = params._meta?.progressToken;
    let progress = 0;
    const tell = (message: string) => {
      if (token === undefined) return;
      const told = {
        method: 'notifications/progress' as const,
        params: { progressToken: token, progress: ++progress, message },
      };
      // The caller may have disconnected by now.
      sendNotification(told).catch(() => undefined);
    };
    return called(served, params.name, params.arguments ?? {}, { signal, tell });
  });
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve());
  });
  server.oninitialized = () => {
    if (!server.getClientCapabilities()?.elicitation?.form) return;
    served.approvals?.connect((message, requestedSchema, signal) =>
      server.elicitInput({ mode: 'form', message, requestedSchema }, { signal, timeout: ANSWER_MS }),
    );
  };
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
}

async function called(
  served: ServedEngine,
  name: string,
  input: Readonly<Record<string, unknown>>,
  caller: Caller,
): Promise<Answer> {
  const { engine, workspace, approvalMode } = served;
  try {
    if (name === RUN_AGENT) {
      const task = readAgentTask(input);
      return typeof task === 'string' ? failed(task) : await runAgent(served, task, caller);
    }
    if (!worksAlone(engine, name)) return failed(`There is no tool “${name}”.`);
    const { signal } = caller;
    const { workMode } = served.run;
    return answerOf(
      await engine.callTool(name, input, { workspace, approvalMode, ...(workMode && { workMode }), signal }),
    );
  } catch (error) {
    if (EngineError.is(error)) return failed(error.message);
    throw error;
  }
}

async function runAgent({ engine, workspace, approvalMode, run }: ServedEngine, task: AgentTask, caller: Caller) {
  const { agent = run.agent ?? null, prompt, session: earlier } = task;
  const opened = earlier === undefined ? undefined : await engine.sessions.open(earlier);
  if (opened && opened.metadata.workspace !== workspace) {
    return failed(`The session ${earlier} belongs to another folder.`);
  }
  const fresh = { workspace, model: run.model ?? null, name: null, agent, approvalMode };
  const session = opened ?? (await engine.sessions.create(fresh));
  const handle = engine.run({
    ...run,
    sessionId: session.id,
    input: prompt,
    approvalMode,
    ...(agent !== null && { agent }),
  });
  const listening = handle.subscribe((event) => {
    const text = progressOf(event);
    if (text !== undefined) caller.tell(text);
  });
  const stop = () => handle.cancel();
  caller.signal.addEventListener('abort', stop, { once: true });
  if (caller.signal.aborted) stop();
  try {
    const outcome = await handle.outcome;
    const { text, isError } = outcomeText(outcome);
    return {
      content: [{ type: 'text' as const, text: `${text}\n\n(session ${session.id})` }],
      structuredContent: { outcome: outcome.kind, answer: text, session: session.id },
      ...(isError && { isError }),
    };
  } finally {
    listening.dispose();
    caller.signal.removeEventListener('abort', stop);
  }
}

function progressOf(event: AgentEvent): string | undefined {
  if (event.type === 'tool-prepared') return event.title;
  return event.type === 'notice' ? event.text : undefined;
}

function outcomeText(outcome: RunOutcome): { text: string; isError: boolean } {
  switch (outcome.kind) {
    case 'completed':
      return { text: outcome.answer, isError: false };
    case 'limit-reached':
      return { text: limitText(outcome.limit), isError: true };
    case 'failed':
      return { text: outcome.message, isError: true };
    case 'cancelled':
      return { text: 'It was canceled.', isError: true };
    case 'rejected':
      return { text: `${outcome.answer}\n\nWhat it wanted to do last was not allowed.`.trim(), isError: true };
  }
}

function answerOf({ status, text, images = [] }: ToolResult): Answer {
  return {
    content: [
      { type: 'text', text },
      ...images.map(({ mediaType, data }) => ({ type: 'image' as const, data, mimeType: mediaType })),
    ],
    ...(status !== 'ok' && { isError: true }),
  };
}

function failed(text: string): Answer {
  return { content: [{ type: 'text', text }], isError: true };
}

/** A tool as listed to clients. */
interface OfferedTool {
  name: string;
  description: string;
  inputSchema: { type: 'object'; [key: string]: unknown };
}

/** The tool that gives a whole task to an agent. */
const RUN_AGENT = 'run_agent';

const runAgentSchema = z.strictObject({
  prompt: z.string().check(z.minLength(1)),
  agent: z.optional(z.string()),
  session: z.optional(z.string()),
});
type AgentTask = z.infer<typeof runAgentSchema>;

/** Parses the input of `run_agent`. Returns a sentence if it is invalid. */
function readAgentTask(input: unknown): AgentTask | string {
  const { data, error } = runAgentSchema.safeParse(input);
  const [issue] = error?.issues ?? [];
  return data ?? `${[...(issue?.path ?? []), issue?.message ?? 'It does not fit'].join(': ')}.`;
}

/** Lists `run_agent` and every Cairn tool that works without a run and a user. */
async function offeredTools(engine: Engine): Promise<OfferedTool[]> {
  const agents = (await engine.agents.list()).filter(({ hidden }) => !hidden);
  const own = toolSpecs(engine.tools).filter(({ name }) => worksAlone(engine, name));
  return [
    runAgentTool(agents),
    ...own.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: { ...parameters, type: 'object' as const },
    })),
  ];
}

/** Returns false for tools that act on a run or wait for the user. */
function worksAlone(engine: Engine, name: string): boolean {
  const tool = engine.tools.get(name);
  if (!tool) return false;
  const { kind } = tool.traits ?? {};
  return kind !== 'team' && kind !== 'skills' && !/^(?:user|todo)__/.test(name);
}

function runAgentTool(agents: readonly AgentDefinition[]): OfferedTool {
  const list = agents.map(({ name, description }) => `${name}: ${description}`).join('\n');
  return {
    name: RUN_AGENT,
    description: `Gives a task to an agent of Cairn, which works on it in the folder until it is done, and tells what it answers.\n\n${list}`,
    inputSchema: {
      type: 'object',
      properties: {
        prompt: { type: 'string', description: 'The task, with all that the agent has to know.' },
        agent: {
          type: 'string',
          enum: agents.map(({ name }) => name),
          description: 'Which agent does it. Default: the one that the settings name.',
        },
        session: { type: 'string', description: 'The session of an earlier task, to go on with it.' },
      },
      required: ['prompt'],
      additionalProperties: false,
    },
  };
}
