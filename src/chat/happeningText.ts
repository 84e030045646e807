import type { AgentEvent } from '../engine';

type Happening = Extract<AgentEvent, { type: 'auto-continued' | 'skill-loaded' | 'skill-unloaded' }>;
type Told<T> = T extends unknown ? Omit<T, 'seq' | 'sessionId'> : never;

/** What a run did by itself, as a line for the person. */
export function happeningText(event: Told<Happening>): string {
  switch (event.type) {
    case 'auto-continued': {
      const { count, max, open } = event;
      return `Going on by itself: ${count} of ${max}, ${open} ${open === 1 ? 'to-do' : 'to-dos'} open`;
    }
    case 'skill-loaded':
      return `Skill ${event.skill} loaded`;
    case 'skill-unloaded':
      return `Skill ${event.skill} unloaded`;
  }
}
