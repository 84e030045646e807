import type { AgentLoop } from '../run/loop/agentLoop';
import { GraphRun } from './graphRun';
import type { GraphRunParts } from './graphRunParts';

/** The program that a graph is: it runs step by step, and each step is kept before the next one begins. */
export function graphLoop(parts: Omit<GraphRunParts, 'agent' | 'signal'>): AgentLoop {
  return async (internals) => {
    const { text: prompt } = await internals.receive();
    const { agent, signal } = internals;
    internals.setState('running-tool');
    return new GraphRun({ ...parts, agent, signal }).carryOut(prompt);
  };
}
