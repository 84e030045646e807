import assert from 'node:assert/strict';
import { toolGroups } from '../../webview/transcript/toolGroups';
import { text, tool } from './support/chats';

describe('toolGroups', () => {
  it('summarizes three or more in a row', () => {
    const entries = [tool('a'), tool('b', { tool: 'fs_search' }), tool('c'), tool('d', { tool: 'fs_search' })];
    assert.equal(toolGroups(entries).get('a')?.summary, 'Read 2 files, searched twice');
  });

  it('summarizes the repeated calls of a model that goes in circles', () => {
    const detail = { kind: 'text' as const, text: 'Not run.', repeated: true as const };
    const again = (id: string) => tool(id, { category: 'execute', status: 'error', detail });
    const entries = [tool('a'), tool('b'), ...['c', 'd', 'e', 'f', 'g'].map(again)];
    assert.equal(toolGroups(entries).get('a')?.summary, 'Read 2 files, skipped 5 repeated calls');
  });

  it('leaves two in a row as they are', () => {
    assert.equal(toolGroups([tool('a'), tool('b')]).size, 0);
  });

  it('ends a row at text, at a failure and at an edit', () => {
    const write = tool('w', { category: 'write', tool: 'fs_edit' });
    for (const between of [text('t', 'So:'), tool('e', { status: 'error' }), write]) {
      assert.equal(toolGroups([tool('a'), tool('b'), between, tool('c'), tool('d')]).size, 0);
    }
  });

  it('goes on over calls that are shown elsewhere, such as those about to-dos', () => {
    const todos = tool('t', { tool: 'todo__done', category: 'agent', quiet: true });
    assert.deepEqual(toolGroups([tool('a'), todos, tool('b'), tool('c')]).get('c')?.ids, ['a', 'b', 'c']);
  });

  it('does not group before a tool has finished', () => {
    assert.equal(toolGroups([tool('a'), tool('b'), tool('c', { status: 'running' })]).size, 0);
  });
});
