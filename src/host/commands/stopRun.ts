import type { Host } from '../host';
import type { Command } from './command';

export function stopRun({ currentChat }: Host): Command {
  return {
    async run() {
      (await currentChat()).cancel();
    },
  };
}
