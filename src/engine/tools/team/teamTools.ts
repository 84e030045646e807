import { clipEnd } from '../../../base/truncate';
import * as z from '../../../base/zod';
import { type AnyTool, defineTool } from '../tool';
import { ToolFailure, type ToolOutput } from '../toolOutput';
import type { TeamDesk } from './teamDesk';

/** The inputs are made for the first agent that is offered them: few lead a team, and each process would keep them. */
const delegateInput = z.lazy(() =>
  z.strictObject({
    description: z.string().check(z.minLength(1), z.describe('Title of the task, three to five words')),
    prompt: z
      .string()
      .check(z.minLength(1), z.describe('All that it needs to know; it sees nothing of this conversation')),
    subagent_type: z.string().check(z.minLength(1), z.describe('Name of the agent')),
    session_id: z.optional(z.string()).check(z.describe('Session of an earlier task, to continue it')),
  }),
);

type DelegateInput = z.infer<typeof delegateInput>;

/** Returns the tools for working with other agents. Which of them an agent is offered depends on whom it may start. */
export function teamTools(): AnyTool[] {
  return [...spawnTools(), ...taskTools(), ...messageTools(), delegateTaskTool()];
}

/** `task`: gives work to another agent and waits for its answer, in OpenCode's terms. */
function delegateTaskTool(): AnyTool {
  return defineTool<DelegateInput>({
    name: 'task',
    description:
      'Gives a task to another agent and returns its answer when it is done. Several calls in one reply run in parallel.',
    category: 'agent',
    traits: { kind: 'team', roles: ['delegates'], quiet: true },
    concurrent: true,
    input: delegateInput,
    title: ({ subagent_type: agent, description }) => `${agent}: ${description}`,
    permission: () => ({ tool: 'task', category: 'agent' }),
    async run({ prompt, subagent_type: agent, session_id: sessionId }, { team, signal, callId }) {
      const request = { agent, prompt, callId, awaited: true, ...(sessionId !== undefined && { sessionId }) };
      const started = await team.spawn(request);
      const report = await team.wait(started.id, signal).catch(async (error: unknown) => {
        // The call was stopped, and nothing else waits for the agent.
        await team.cancel(started.id);
        throw error;
      });
      const how = `${agent} did not finish: ${report.exit_status ?? report.state}.`;
      if (report.state === 'failed' || report.state === 'cancelled') throw new ToolFailure('failed', how);
      const begin = report.state === 'completed' ? '' : `${how} What it said last:\n\n`;
      const text = `${begin}${report.output ?? ''}\n\n(session_id: ${report.session_id})`;
      return { text, detail: { kind: 'text', text } };
    },
  });
}

const sendInput = z.lazy(() =>
  z.strictObject({
    id: z.string().check(z.minLength(1), z.describe('Id of an agent that you started, of one beside you, or "parent"')),
    message: z.string().check(z.minLength(1)),
  }),
);

const replyInput = z.lazy(() =>
  z.strictObject({
    escalation_id: z.string().check(z.minLength(1)),
    reply: z.string().check(z.minLength(1)),
  }),
);
const noInput = z.strictObject({});

/** Messages between agents. */
function messageTools(): AnyTool[] {
  return [sendTool(), inboxTool(), replyTool()];
}

function sendTool(): AnyTool {
  return defineTool<z.infer<typeof sendInput>>({
    name: 'agent__send_message',
    description: 'Sends a message to another agent of this team, which reads it from its inbox.',
    category: 'agent',
    traits: { kind: 'team', roles: ['sends-messages'] },
    input: sendInput,
    title: ({ id, message }) => `To ${nameIn(id)}: ${clipEnd(message, 80)}`,
    permission: () => ({ tool: 'agent__send_message', category: 'agent' }),
    run({ id, message }, { team }) {
      team.send(id, message);
      return Promise.resolve(teamOutput({ status: 'ok', message: `Sent to ${id}.` }));
    },
  });
}

function inboxTool(): AnyTool {
  return defineTool<z.infer<typeof noInput>>({
    name: 'agent__check_inbox',
    description: 'Returns the messages that other agents have sent you since the last call.',
    category: 'agent',
    traits: { kind: 'team', roles: ['sends-messages'], doing: 'Looking' },
    input: noInput,
    title: () => 'Look into the inbox',
    permission: () => ({ tool: 'agent__check_inbox', category: 'agent' }),
    run(_, { team }) {
      const messages = team.inbox();
      return Promise.resolve(teamOutput({ messages, count: messages.length }));
    },
  });
}

function replyTool(): AnyTool {
  return defineTool<z.infer<typeof replyInput>>({
    name: 'agent__reply_escalation',
    description:
      'Answers a question of an agent that you started. If you do not know the answer, leave it to the user.',
    category: 'agent',
    traits: { kind: 'team' },
    input: replyInput,
    title: ({ reply }) => `Answer: ${clipEnd(reply, 80)}`,
    permission: () => ({ tool: 'agent__reply_escalation', category: 'agent' }),
    run({ escalation_id: id, reply }, { team }) {
      const question = team.reply(id, reply);
      return Promise.resolve(teamOutput({ status: 'ok', message: 'Answered.', original_question: question }));
    },
  });
}

const createInput = z.lazy(() =>
  z.strictObject({
    subject: z.string().check(z.minLength(1)),
    description: z.optional(z.string()),
    blocked_by: z._default(z.array(z.string()), []).check(z.describe('Ids of tasks that must be completed first')),
    agent: z.optional(z.string()).check(z.describe('Agent that starts with prompt as soon as the task is unblocked')),
    prompt: z.optional(z.string()),
  }),
);

const idInput = z.lazy(() => z.strictObject({ task_id: z.string().check(z.minLength(1)) }));

/** `agent__task_*`: tasks that depend on each other, and start agents automatically. */
function taskTools(): AnyTool[] {
  return [createTool(), listTool(), completeTool(), failTool()];
}

function createTool(): AnyTool {
  return defineTool<z.infer<typeof createInput>>({
    name: 'agent__task_create',
    description:
      'Adds a task that waits until the tasks in blocked_by are completed. With agent and prompt, that agent then starts by itself, and its end completes the task.',
    category: 'agent',
    traits: { kind: 'team' },
    input: createInput,
    title: ({ subject }) => `New task: ${subject}`,
    permission: () => ({ tool: 'agent__task_create', category: 'agent' }),
    async run({ blocked_by: blockedBy, subject, description, agent, prompt }, { team }) {
      const optional = { ...(description !== undefined && { description }), ...(agent !== undefined && { agent }) };
      const task = { subject, blockedBy, ...optional, ...(prompt !== undefined && { prompt }) };
      return teamOutput({ status: 'ok', ...(await team.createTask(task)) });
    },
  });
}

function listTool(): AnyTool {
  return defineTool<z.infer<typeof noInput>>({
    name: 'agent__task_list',
    description: 'Lists the tasks, what each waits for, and who works on it.',
    category: 'agent',
    traits: { kind: 'team', doing: 'Listing' },
    input: noInput,
    title: () => 'List the tasks',
    permission: () => ({ tool: 'agent__task_list', category: 'agent' }),
    run: (_, { team }) => Promise.resolve(teamOutput({ tasks: team.tasks() })),
  });
}

function completeTool(): AnyTool {
  return defineTool<z.infer<typeof idInput>>({
    name: 'agent__task_complete',
    description: 'Marks a task that you did yourself as completed, which unblocks the tasks that wait for it.',
    category: 'agent',
    traits: { kind: 'team' },
    input: idInput,
    title: ({ task_id: id }) => `Task ${id} is done`,
    permission: () => ({ tool: 'agent__task_complete', category: 'agent' }),
    async run({ task_id: id }, { team }) {
      return teamOutput({ status: 'ok', ...(await team.completeTask(id)) });
    },
  });
}

function failTool(): AnyTool {
  return defineTool<z.infer<typeof idInput>>({
    name: 'agent__task_fail',
    description: 'Marks a task as failed, together with all tasks that wait for it.',
    category: 'agent',
    traits: { kind: 'team' },
    input: idInput,
    title: ({ task_id: id }) => `Task ${id} failed`,
    permission: () => ({ tool: 'agent__task_fail', category: 'agent' }),
    async run({ task_id: id }, { team }) {
      return teamOutput({ status: 'ok', ...(await team.failTask(id)) });
    },
  });
}

const spawnInput = z.lazy(() =>
  z.strictObject({
    agent: z.string().check(z.minLength(1)),
    prompt: z
      .string()
      .check(z.minLength(1), z.describe('All that it needs to know; it sees nothing of this conversation')),
    task_id: z.optional(z.string()).check(z.describe('Task from agent__task_create that this run completes')),
    session_id: z
      .optional(z.string())
      .check(z.describe('Session of an agent that ran before, to continue with all it knows')),
  }),
);
const childInput = z.lazy(() =>
  z.strictObject({
    id: z.string().check(z.minLength(1), z.describe('Id that agent__spawn returned')),
  }),
);
/** Returns `agent__spawn` and related tools, for other agents that work alongside this one. */
function spawnTools(): AnyTool[] {
  return [spawnTool(), checkTool(), collectTool(), listChildrenTool(), availableTool(), cancelTool()];
}

function spawnTool(): AnyTool {
  return defineTool<z.infer<typeof spawnInput>>({
    name: 'agent__spawn',
    description: 'Starts another agent beside you and returns its id at once. Start independent agents in one reply.',
    category: 'agent',
    traits: { kind: 'team', roles: ['starts-agents'], quiet: true, doing: 'Starting' },
    input: spawnInput,
    title: ({ agent, prompt }) => `Start ${agent}: ${firstLine(prompt)}`,
    permission: () => ({ tool: 'agent__spawn', category: 'agent' }),
    async run({ agent, prompt, task_id: taskId, session_id: sessionId }, { team, callId }) {
      const rest = { ...(taskId !== undefined && { taskId }), ...(sessionId !== undefined && { sessionId }) };
      const { id, session_id } = await team.spawn({ agent, prompt, callId, ...rest });
      return teamOutput({
        status: 'ok',
        id,
        agent,
        session_id,
        message: `${agent} has started. Its answer arrives by itself; agent__collect waits for it.`,
      });
    },
  });
}

function checkTool(): AnyTool {
  return defineTool<z.infer<typeof childInput>>({
    name: 'agent__check',
    description: 'Returns the state of an agent without waiting.',
    category: 'agent',
    traits: { kind: 'team', quiet: true, doing: 'Looking' },
    input: childInput,
    title: ({ id }) => `Look at ${nameIn(id)}`,
    permission: () => ({ tool: 'agent__check', category: 'agent' }),
    async run({ id }, { team }) {
      return teamOutput(reportOf(await team.check(id)));
    },
  });
}

function collectTool(): AnyTool {
  return defineTool<z.infer<typeof childInput>>({
    name: 'agent__collect',
    description: 'Waits until an agent is done and returns its answer. Returns early when a question waits for you.',
    category: 'agent',
    traits: { kind: 'team', quiet: true, doing: 'Waiting' },
    concurrent: true,
    waits: true,
    input: childInput,
    title: ({ id }) => `Wait for ${nameIn(id)}`,
    permission: () => ({ tool: 'agent__collect', category: 'agent' }),
    async run({ id }, { team, signal }) {
      return teamOutput(reportOf(await team.collect(id, signal)));
    },
  });
}

function listChildrenTool(): AnyTool {
  return defineTool<z.infer<typeof noInput>>({
    name: 'agent__list',
    description: 'Lists the agents that you started.',
    category: 'agent',
    traits: { kind: 'team', quiet: true, doing: 'Listing' },
    input: noInput,
    title: () => 'List the agents',
    permission: () => ({ tool: 'agent__list', category: 'agent' }),
    run: (_, { team }) => Promise.resolve(teamOutput(team.list())),
  });
}

function availableTool(): AnyTool {
  return defineTool<z.infer<typeof noInput>>({
    name: 'agent__list_available',
    description: 'Lists the agents that you can start, with what each is for.',
    category: 'agent',
    traits: { kind: 'team', quiet: true, doing: 'Listing' },
    input: noInput,
    title: () => 'List who can be started',
    permission: () => ({ tool: 'agent__list_available', category: 'agent' }),
    run: async (_, { team }) => teamOutput({ agents: await team.available() }),
  });
}

function cancelTool(): AnyTool {
  return defineTool<z.infer<typeof childInput>>({
    name: 'agent__cancel',
    description: 'Ends an agent and all agents that it started.',
    category: 'agent',
    traits: { kind: 'team', quiet: true, doing: 'Stopping' },
    input: childInput,
    title: ({ id }) => `Stop ${nameIn(id)}`,
    permission: () => ({ tool: 'agent__cancel', category: 'agent' }),
    async run({ id }, { team }) {
      const report = await team.cancel(id);
      return teamOutput({ status: 'ok', ...report, message: `${id} is ended.` });
    },
  });
}

type Looked = Awaited<ReturnType<TeamDesk['check']>>;

function reportOf({ report, escalations }: Looked) {
  const waiting = escalations.length > 0 && {
    message: 'A question waits: answer with agent__reply_escalation what you know, then collect again.',
    pending_escalations: escalations,
  };
  if (report.state !== 'running') return { status: 'completed', ...report, ...waiting };
  return { status: 'pending', ...report, message: `${report.agent} is still running.`, ...waiting };
}

/** Extracts the agent's name from its id, for display. */
function nameIn(id: string): string {
  return /^agent_(.+)_[^_]+$/.exec(id)?.[1] ?? id;
}

/** Returns the first line of a prompt, for a card. */
function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return clipEnd(line, 80);
}

/** Returns a result as JSON, for both the model and the card. */
function teamOutput(value: object): ToolOutput {
  const text = JSON.stringify(value, null, 2);
  return { text, detail: { kind: 'text', text } };
}
