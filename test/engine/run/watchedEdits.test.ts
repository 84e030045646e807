import assert from 'node:assert/strict';
import { basename } from 'node:path';
import type { ApprovalMode, WatchedEdit } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';

const write = { call: [{ name: 'fs_write', arguments: { path: 'a.txt', contents: 'new' } }] };

describe('a change of a file by a tool', () => {
  const cases: readonly [ApprovalMode, string, boolean][] = [
    ['review-after', 'is to be reviewed afterwards where nobody was asked', true],
    ['nothing', 'is not to be reviewed where nobody wants to', false],
    ['edits-and-commands', 'is not to be reviewed again where a person saw it first', false],
  ];
  for (const [approvalMode, what, reviewAfter] of cases) {
    it(what, async () => {
      const seen: WatchedEdit[] = [];
      const edits = {
        around<T>(edit: WatchedEdit, change: () => Promise<T>): Promise<T> {
          seen.push(edit);
          return change();
        },
      };
      await withWorld({ story: [write, { say: 'Done.' }], approvalMode, edits }, async (world) => {
        await world.play('go');
        assert.equal(await world.read('a.txt'), 'new');
        assert.deepEqual(
          seen.map((edit) => [edit.sessionId, edit.paths.map((path) => basename(path)), edit.reviewAfter]),
          [[world.sessionId, ['a.txt'], reviewAfter]],
        );
      });
    });
  }
});
