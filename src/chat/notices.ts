import type { AgentEvent, RunOutcome } from '../engine';
import type { NoticeAction } from '../protocol/chatState';

type Happening = Extract<AgentEvent, { type: 'auto-continued' | 'skill-loaded' | 'skill-unloaded' }>;
type Told<T> = T extends unknown ? Omit<T, 'seq' | 'sessionId'> : never;

/** What a run did by itself, as a line for the person. */
export function happeningText(event: Told<Happening>): string {
  switch (event.type) {
    case 'auto-continued': {
      const { count, max, open } = event;
      return `Continuing automatically: ${count} of ${max}, ${open} ${open === 1 ? 'to-do' : 'to-dos'} open`;
    }
    case 'skill-loaded':
      return `Skill ${event.skill} loaded`;
    case 'skill-unloaded':
      return `Skill ${event.skill} unloaded`;
  }
}

/** The button that helps with a failure. */
export function failureAction(reason: Extract<RunOutcome, { kind: 'failed' }>['reason']): NoticeAction | null {
  switch (reason) {
    case 'no-key':
    case 'auth':
      return { label: 'Set API key', command: 'setApiKey' };
    case 'unknown-model':
    case 'context-overflow':
    case 'bad-request':
      return { label: 'Choose another model', command: 'chooseModel' };
    case 'rate-limit':
    case 'server':
    case 'unreachable':
    case 'graph':
      return { label: 'Try again', resume: true };
    case 'cut-stream':
      return { label: 'Continue', resume: true };
    case 'session':
    case 'internal':
      return { label: 'Show the log', command: 'showLog' };
    case 'unknown-agent':
      return { label: 'Choose another agent', command: 'chooseAgent' };
    case 'configuration':
    case 'middleware':
    case 'context-strategy':
    case 'tool':
    case 'cancelled':
      return null;
  }
}
