import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import { teamOutput } from './teamOutput';

const createInput = z.strictObject({
  subject: z.string().min(1),
  description: z.string().optional(),
  blocked_by: z.array(z.string()).default([]).describe('Ids of the tasks that must be completed before'),
  agent: z.string().optional().describe('Starts by itself with prompt once nothing stands before the task'),
  prompt: z.string().optional(),
});
const idInput = z.strictObject({ task_id: z.string().min(1) });
const noInput = z.strictObject({});

/** `agent__task_*`: tasks that wait for one another, and start agents by themselves. */
export function taskTools(): AnyTool[] {
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
