import type { ScopedEmitter } from '../events/scopedEmitter';
import type { LlmNotice } from '../llm/llmClient';

/** Returns what tells the user that a request is sent again after a wait. Other notices are not told. */
export function tellWaits(emitter: Pick<ScopedEmitter, 'emit'>): (notice: LlmNotice) => void {
  return ({ text, waitMs }) => {
    if (waitMs !== undefined) emitter.emit({ type: 'notice', level: 'info', text, waitMs });
  };
}
