import assert from 'node:assert/strict';
import { basename } from 'node:path';
import type { ApprovalMode, WatchedEdit } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';

const writing = (path: string) => ({ call: [{ name: 'fs_write', arguments: { path, contents: 'new' } }] });

describe('A file change by a tool', () => {
  const cases: readonly [ApprovalMode, string, boolean, path?: string][] = [
    ['review-after', 'is marked for review if it needed no approval', true],
    ['nothing', 'is not marked for review in “Full auto”', false],
    ['edits-and-commands', 'is not marked for review if the user approves changes first', false],
    ['review-after', 'is not marked for review if the user had to approve it anyway', false, '.env'],
  ];
  for (const [approvalMode, what, reviewAfter, path = 'a.txt'] of cases) {
    it(what, async () => {
      const seen: WatchedEdit[] = [];
      const edits = {
        around<T>(edit: WatchedEdit, change: () => Promise<T>): Promise<T> {
          seen.push(edit);
          return change();
        },
      };
      await withWorld({ story: [writing(path), { say: 'Done.' }], approvalMode, edits }, async (world) => {
        await world.play('go');
        assert.equal(await world.read(path), 'new');
        assert.deepEqual(
          seen.map((edit) => [edit.sessionId, edit.paths.map((one) => basename(one)), edit.reviewAfter]),
          [[world.sessionId, [path], reviewAfter]],
        );
      });
    });
  }
});
