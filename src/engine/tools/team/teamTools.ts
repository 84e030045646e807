import * as z from '../../../base/zod';
import { clipEnd } from '../../../base/truncate';
import { type AnyTool, defineTool } from '../tool';
import { ToolFailure } from '../toolFailure';
import { nameIn, spawnTools, teamOutput } from './spawnTools';

const delegateInput = z.strictObject({
  description: z.string().check(z.minLength(1), z.describe('Three to five words')),
  prompt: z.string().check(z.minLength(1), z.describe('All it needs to know; it sees nothing of this conversation')),
  subagent_type: z.string().check(z.minLength(1), z.describe('Name of the agent')),
  session_id: z.optional(z.string()).check(z.describe('Of an earlier task, to go on with it')),
});

type DelegateInput = z.infer<typeof delegateInput>;

/** The tools for work with other agents. Which of them an agent is offered depends on whom it may start. */
export function teamTools(): AnyTool[] {
  return [...spawnTools(), ...taskTools(), ...messageTools(), delegateTaskTool()];
}

/** `task`: has another agent do something and waits for its answer, in OpenCode's words. */
function delegateTaskTool(): AnyTool {
  return defineTool<DelegateInput>({
    name: 'task',
    description: 'Has another agent do a task and gives its answer when it is done. Several in one reply run together.',
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
        // The call was stopped, and nobody else waits for the agent.
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

const sendInput = z.strictObject({
  id: z.string().check(z.minLength(1), z.describe('Of an agent that you started, of one beside you, or "parent"')),
  message: z.string().check(z.minLength(1)),
});

const replyInput = z.strictObject({
  escalation_id: z.string().check(z.minLength(1)),
  reply: z.string().check(z.minLength(1)),
});
const noInput = z.strictObject({});

/** Words between agents. */
function messageTools(): AnyTool[] {
  return [sendTool(), inboxTool(), replyTool()];
}

function sendTool(): AnyTool {
  return defineTool<z.infer<typeof sendInput>>({
    name: 'agent__send_message',
    description: 'Sends a message to another agent of this team, who sees it when it looks into its inbox.',
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
    description: 'Gives the messages that other agents sent you since your last look.',
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
      'Answers a question of an agent that you started, when you know the answer. Otherwise the person does.',
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

const createInput = z.strictObject({
  subject: z.string().check(z.minLength(1)),
  description: z.optional(z.string()),
  blocked_by: z._default(z.array(z.string()), []).check(z.describe('Ids of the tasks that must be completed before')),
  agent: z.optional(z.string()).check(z.describe('Starts by itself with prompt once nothing stands before the task')),
  prompt: z.optional(z.string()),
});

const idInput = z.strictObject({ task_id: z.string().check(z.minLength(1)) });

/** `agent__task_*`: tasks that wait for one another, and start agents by themselves. */
function taskTools(): AnyTool[] {
  return [createTool(), listTool(), completeTool(), failTool()];
}

function createTool(): AnyTool {
  return defineTool<z.infer<typeof createInput>>({
    name: 'agent__task_create',
    description:
      'Adds a task, which may wait for others and start an agent when it may begin. The end of that agent ends it.',
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
    description: 'Lists the tasks with what they wait for and who works on them.',
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
    description: 'Marks a task that you did yourself as done; what waited for it may begin.',
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
    description: 'Marks a task as failed, and with it all that waits for it.',
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
