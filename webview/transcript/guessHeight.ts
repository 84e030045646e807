import { assertNever } from '../../src/base/errors';
import type { ChatEntry, ToolDetail } from '../../src/protocol/chatState';

const LINE_PX = 20;
const CODE_LINE_PX = 18;
const CHAR_PX = 6.2;
const CARD_PX = 64;

/** Estimates the height of an entry before it has been rendered at this width. */
export function guessHeight(entry: ChatEntry, width: number): number {
  switch (entry.kind) {
    case 'user':
      return 38 + LINE_PX * lines(entry.text.length, width);
    case 'text':
      // Code and lists have short lines.
      return 8 + LINE_PX * lines(entry.text.length * 1.3, width);
    case 'notice':
      return 30 + LINE_PX * lines(entry.text.length, width);
    case 'turn':
      return 32;
    case 'thinking':
      return 24;
    case 'agent':
      return entry.status === 'running' ? CARD_PX : 24;
    case 'graph':
      return CARD_PX + LINE_PX * Math.min(12, entry.nodes.length);
    case 'tool':
      return entry.status === 'waiting' || entry.status === 'running' ? CARD_PX : 24 + lastLines(entry.detail);
    default:
      return assertNever(entry);
  }
}

/** A command shows the end of its output. */
function lastLines(detail: ToolDetail | null): number {
  if (detail?.kind !== 'command' || detail.output === '') return 0;
  return 4 + CODE_LINE_PX * detail.output.trimEnd().split('\n', 3).length;
}

function lines(chars: number, width: number): number {
  return Math.max(1, Math.ceil((chars * CHAR_PX) / Math.max(200, width)));
}
