import * as z from '../../../base/zod';
import { clipEnd } from '../../../base/truncate';
import { type AnyTool, defineTool } from '../tool';
import type { ToolOutput } from '../toolOutput';
import type { TeamDesk } from './teamDesk';

const spawnInput = z.strictObject({
  agent: z.string().check(z.minLength(1)),
  prompt: z
    .string()
    .check(z.minLength(1), z.describe('All that it needs to know; it sees nothing of this conversation')),
  task_id: z.optional(z.string()).check(z.describe('Task from agent__task_create that this run completes')),
  session_id: z
    .optional(z.string())
    .check(z.describe('Session of an agent that ran before, to continue with all it knows')),
});
const idInput = z.strictObject({
  id: z.string().check(z.minLength(1), z.describe('Id that agent__spawn returned')),
});
const noInput = z.strictObject({});

/** Returns `agent__spawn` and related tools, for other agents that work alongside this one. */
export function spawnTools(): AnyTool[] {
  return [spawnTool(), checkTool(), collectTool(), listTool(), availableTool(), cancelTool()];
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
  return defineTool<z.infer<typeof idInput>>({
    name: 'agent__check',
    description: 'Returns the state of an agent without waiting.',
    category: 'agent',
    traits: { kind: 'team', quiet: true, doing: 'Looking' },
    input: idInput,
    title: ({ id }) => `Look at ${nameIn(id)}`,
    permission: () => ({ tool: 'agent__check', category: 'agent' }),
    async run({ id }, { team }) {
      return teamOutput(reportOf(await team.check(id)));
    },
  });
}

function collectTool(): AnyTool {
  return defineTool<z.infer<typeof idInput>>({
    name: 'agent__collect',
    description: 'Waits until an agent is done and returns its answer. Returns early when a question waits for you.',
    category: 'agent',
    traits: { kind: 'team', quiet: true, doing: 'Waiting' },
    concurrent: true,
    waits: true,
    input: idInput,
    title: ({ id }) => `Wait for ${nameIn(id)}`,
    permission: () => ({ tool: 'agent__collect', category: 'agent' }),
    async run({ id }, { team, signal }) {
      return teamOutput(reportOf(await team.collect(id, signal)));
    },
  });
}

function listTool(): AnyTool {
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
  return defineTool<z.infer<typeof idInput>>({
    name: 'agent__cancel',
    description: 'Ends an agent and all agents that it started.',
    category: 'agent',
    traits: { kind: 'team', quiet: true, doing: 'Stopping' },
    input: idInput,
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
export function nameIn(id: string): string {
  return /^agent_(.+)_[^_]+$/.exec(id)?.[1] ?? id;
}

/** Returns the first line of a prompt, for a card. */
function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return clipEnd(line, 80);
}

/** Returns a result as JSON, for both the model and the card. */
export function teamOutput(value: object): ToolOutput {
  const text = JSON.stringify(value, null, 2);
  return { text, detail: { kind: 'text', text } };
}
