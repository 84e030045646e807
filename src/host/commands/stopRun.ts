import type { Host } from '../host';
import type { Command } from './command';

export function stopRun({ currentChat }: Host): Command {
  return {
    name: 'stopRun',
    async run() {
      (await currentChat()).cancel();
    },
  };
}
