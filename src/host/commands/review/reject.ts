import type { Host } from '../../host';
import { waitingApproval } from './approve';
import type { Command } from '../command';

/** Refuses the proposal of the diff it is pressed in, else what waits longest in the chat shown. */
export function reject(host: Host): Command {
  return {
    name: 'reject',
    async run(argument) {
      const id = await waitingApproval(host, argument);
      if (id !== undefined) host.approvals.answer(id, { kind: 'reject' });
    },
  };
}
