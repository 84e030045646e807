import type { Handlers } from '../../../protocol/hostApi';
import { showReview } from '../../review/showReview';
import { undoTurn } from '../../review/undoTurn';
import type { ChatApiParts } from './chatApiParts';

export function reviewHandlers({
  chats,
  ledger,
  restore,
}: Pick<ChatApiParts, 'chats' | 'ledger' | 'restore'>): Handlers<'review/act' | 'checkpoint/restore'> {
  return {
    'review/act': async ({ runId, action }) => {
      const files = ledger.ofTurn(runId);
      if (files.length === 0) throw new Error('Nothing of this turn is left to review.');
      if (action === 'show') await showReview(files, runId);
      else if (action === 'keep') for (const { path } of files) ledger.keepTurn(path, runId);
      else await undoTurn(ledger, files, runId);
      return null;
    },
    'checkpoint/restore': async ({ sessionId, messageId }) => {
      await restore((await chats.open(sessionId)).session, messageId);
      return null;
    },
  };
}
