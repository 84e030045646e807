import type { RunOutcome } from '../engine';
import type { NoticeAction } from '../protocol/chatState';

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
    case 'tool':
    case 'cancelled':
      return null;
  }
}
