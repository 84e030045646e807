import type { Host } from '../../host';
import { showReview } from '../../review/showReview';
import { notify } from '../../shown/notify';
import type { Command } from '../command';

/** Opens the diff of the edit that waits longest in the chat shown, else all changes that are to be reviewed. */
export function reviewChanges({ approvals, currentChat, ledger }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      const edit = chat.state.approvals.find(({ diff }) => diff !== null);
      if (edit) await approvals.openDiff(edit.approvalId);
      else if (ledger.files.length > 0) await showReview(ledger.files);
      else void notify('info', 'No change waits for a review.');
    },
  };
}
