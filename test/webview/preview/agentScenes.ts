import type { AgentEntry, ChatState } from '../../../src/protocol/chatState';
import { approval, chat, dateDiff, run, text, tool, user } from '../support/chats';

/** A spawned agent that is still running. */
export function agent(id: string, name: string, task: string, parts: Partial<AgentEntry> = {}): AgentEntry {
  return {
    ...{ kind: 'agent', id, agent: name, sessionId: `session-${id}`, task, status: 'running', activity: '' },
    ...{ startedAt: Date.now() - 12_000, durationMs: null, tokens: 0, costUsd: 0, answer: null },
    ...parts,
  };
}

const done = { status: 'completed' as const, durationMs: 21_000, tokens: 18_400, costUsd: 0.04 };

/** Agents that are running, asking, or finished. */
export function agentScenes(): Record<string, ChatState> {
  const asked = user('u1', 'Why does the parser roll over into March?');
  const begun = [asked, text('t1', 'Intent: investigate. I send two to look, and ask the oracle meanwhile.')];
  return {
    agents: chat({
      entries: [
        ...begun,
        agent('a1', 'explore', 'Find where dates are parsed, with paths and lines.', {
          ...done,
          answer: 'In `src/date.ts:12`: the parts are not compared with the result.',
        }),
        agent('a2', 'explore', 'Find the tests of the parser and what they leave out.', {
          activity: 'Reading test/date.test.ts 1–80',
          tokens: 9_300,
          costUsd: 0.02,
        }),
        agent('a3', 'oracle', 'Which of two ways to make the parser strict is better?', { activity: 'Thinking' }),
        agent('a4', 'file-reviewer', 'Review src/months.ts.', { status: 'cancelled', durationMs: 4_000, tokens: 900 }),
      ],
      run: run('running-tool', '2 agents running'),
    }),
    agentAsks: chat({
      entries: [
        ...begun,
        agent('a1', 'coder', 'Make the parser strict.', {
          activity: 'Editing src/date.ts',
          tokens: 4_200,
          costUsd: 0.01,
        }),
        agent('a2', 'oracle', 'Which way is better?', { activity: 'Thinking', tokens: 700 }),
        tool('c1', { tool: 'agent__send_message', category: 'agent', title: 'To oracle: Look at leap years too.' }),
      ],
      approvals: [
        approval('a1', { diff: dateDiff, agent: 'coder', title: 'coder: Edit src/date.ts', together: ['a1'] }),
      ],
      questions: [
        {
          ...{ questionId: 'q1', entryId: 'a2', agent: 'oracle', kind: 'choice' },
          ...{ question: 'oracle asks: Which callers count?', options: ['All of them', 'Only the public ones'] },
        },
      ],
      run: run('waiting-for-approval'),
    }),
  };
}
