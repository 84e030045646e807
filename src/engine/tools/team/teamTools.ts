import * as z from 'zod';
import { type AnyTool, defineTool } from '../tool';
import { ToolFailure } from '../toolFailure';
import { messageTools } from './messageTools';
import { spawnTools } from './spawnTools';
import { taskTools } from './taskTools';

const input = z.strictObject({
  description: z.string().min(1).describe('Three to five words'),
  prompt: z.string().min(1).describe('All it needs to know; it sees nothing of this conversation'),
  subagent_type: z.string().min(1).describe('Name of the agent'),
  session_id: z.string().optional().describe('Of an earlier task, to go on with it'),
});

type Input = z.infer<typeof input>;

/** The tools for work with other agents. Which of them an agent is offered depends on whom it may start. */
export function teamTools(): AnyTool[] {
  return [...spawnTools(), ...taskTools(), ...messageTools(), delegateTaskTool()];
}

/** `task`: has another agent do something and waits for its answer, in OpenCode's words. */
function delegateTaskTool(): AnyTool {
  return defineTool<Input>({
    name: 'task',
    description: 'Has another agent do a task and gives its answer when it is done. Several in one reply run together.',
    category: 'agent',
    traits: { kind: 'team', roles: ['delegates'], quiet: true },
    concurrent: true,
    input,
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
