import type { Host } from '../host';
import type { Command } from './command';

export function showLog({ log }: Host): Command {
  return {
    run() {
      log.show();
      return Promise.resolve();
    },
  };
}
