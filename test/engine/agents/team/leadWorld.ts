import assert from 'node:assert/strict';
import type { AgentEvent, AgentHandle } from '../../../../src/engine';
import { type EngineWorld, type Played, withWorld, type WorldOptions } from '../../../support/engineWorld';
import type { ModelRequest } from '../../../support/modelServer/modelRequest';
import type { Story } from '../../../support/modelServer/story';
import { agentFile, isOf, LEAD_AND_WORKER, resultsIn } from './teamStory';

export const LEAD = { agent: 'lead' };

/** Runs `use` in a world with `lead`, `worker`, and the given options. */
export function inTeam(
  story: Story,
  options: Partial<WorldOptions>,
  use: (world: EngineWorld) => Promise<void>,
): Promise<void> {
  return withWorld({ ...options, files: { ...LEAD_AND_WORKER, ...options.files }, story }, use);
}

/** Like `inTeam`, with additional files and options that differ from the defaults. */
export function asLead(
  story: Story,
  use: (world: EngineWorld) => Promise<void>,
  files = {},
  options: Partial<WorldOptions> = {},
): Promise<void> {
  return inTeam(story, { ...options, files }, use);
}

/** The file of `lead` with additional fields. */
export function leadFile(fields: string): Record<string, string> {
  return agentFile('lead', `mode: primary\ncan_spawn_agents: true\n${fields}`);
}

export function answerOf({ outcome }: Played): unknown {
  return 'answer' in outcome ? outcome.answer : outcome;
}

export function ofType<T extends AgentEvent['type']>({ events }: Pick<Played, 'events'>, type: T) {
  return events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

export function askedOf(requests: readonly ModelRequest[], agent: string): ModelRequest[] {
  return requests.filter((one) => isOf(one, agent));
}

/** Returns the first of the latest tool results in the last request. */
export function toldLast({ server }: EngineWorld): string {
  return resultsIn(server.requests.at(-1) ?? assert.fail('The model was never asked.'))[0] ?? '';
}

/** Returns the latest tool results of every request, joined by newlines. */
export function toldAtAll({ server }: EngineWorld): string {
  return server.requests.flatMap((request) => resultsIn(request)).join('\n');
}

/** Resolves with the first event from now on that `holds` accepts. */
export function untilEvent(handle: AgentHandle, holds: (event: AgentEvent) => boolean): Promise<AgentEvent> {
  return new Promise((resolve) => {
    const listening = handle.subscribe((event) => {
      if (!holds(event)) return;
      listening.dispose();
      resolve(event);
    });
  });
}

/** Resolves when the agent waits for the agents that it started. */
export async function untilItWaits(handle: AgentHandle): Promise<void> {
  await untilEvent(handle, (event) => event.type === 'state-changed' && event.state === 'waiting-for-agent');
}
