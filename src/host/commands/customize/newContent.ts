import type { ContentKind } from '../../../engine';
import type { Host } from '../../host';
import type { Command } from '../command';

/** A command that makes a new agent, skill or role. */
export function newContent(kind: ContentKind): (host: Host) => Command {
  return ({ engine }) => ({
    async run() {
      const { writeNew } = await import('../../customize/customizeParts');
      await writeNew(engine, kind);
    },
  });
}
