import type { Host } from '../../host';
import type { Command } from '../command';

export function clearTodos({ currentChat }: Host): Command {
  return {
    async run() {
      await (await currentChat()).clearTodos();
    },
  };
}
