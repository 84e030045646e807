import type { AgentEvent } from '../../../../src/engine';
import { type Played, withWorld } from '../../../support/engineWorld';
import type { ModelRequest } from '../../../support/modelServer/modelRequest';
import type { Story } from '../../../support/modelServer/story';
import { isOf, LEAD_AND_WORKER } from './teamStory';

export const LEAD = { agent: 'lead' };

/** A world with `lead` and `worker`, and what else there is. */
export function asLead(story: Story, use: Parameters<typeof withWorld>[1], files = {}): Promise<void> {
  return withWorld({ files: { ...LEAD_AND_WORKER, ...files }, story }, use);
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
