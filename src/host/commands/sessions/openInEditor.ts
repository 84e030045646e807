import type { Host } from '../../host';
import type { Command } from '../command';

/** The session shown in an editor tab of its own, beside the panel that goes on showing what it shows. */
export function openInEditor({ panels, currentChat }: Host): Command {
  return {
    async run() {
      panels.editors.open((await currentChat()).session.id);
    },
  };
}
