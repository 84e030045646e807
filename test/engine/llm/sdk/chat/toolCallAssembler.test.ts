import assert from 'node:assert/strict';
import { ToolCallAssembler, type ToolCallFragment } from '../../../../../src/engine/llm/sdk/chat/chatReplyReader';

function assemble(fragments: readonly ToolCallFragment[]) {
  const assembler = new ToolCallAssembler();
  const announced = fragments.flatMap((fragment) => [...assembler.add(fragment)]);
  return { announced, calls: assembler.finish() };
}

describe('ToolCallAssembler', () => {
  it('assembles interleaved chunks of several calls by their index', () => {
    const { calls } = assemble([
      { index: 0, id: 'a', name: 'one', arguments: '{"x"' },
      { index: 1, id: 'b', name: 'two', arguments: '' },
      { index: 0, arguments: ':1}' },
      { index: 1, arguments: '{}' },
    ]);
    assert.deepEqual(calls, [
      { id: 'a', name: 'one', arguments: '{"x":1}' },
      { id: 'b', name: 'two', arguments: '{}' },
    ]);
  });

  it('separates calls by id when a host uses index 0 for each or none', () => {
    for (const index of [0, undefined]) {
      const { calls } = assemble([
        { index, id: 'a', name: 'one', arguments: '{}' },
        { index, id: 'b', name: 'two', arguments: '{"y":' },
        { index, id: 'b', arguments: '2}' },
      ]);
      assert.deepEqual(
        calls.map((call) => call.arguments),
        ['{}', '{"y":2}'],
      );
    }
  });

  it('assigns an id when the host sent none or a duplicate', () => {
    const { calls } = assemble([
      { index: 0, name: 'one', arguments: '{}' },
      { index: 1, id: '', name: 'two', arguments: '{}' },
      { index: 2, id: 'x', name: 'three' },
      { index: 3, id: 'x', name: 'four' },
    ]);
    assert.equal(new Set(calls.map(({ id }) => id)).size, 4);
    assert.ok(calls.every(({ id }) => id !== ''));
  });

  it('announces a call once, with its final id', () => {
    const { announced, calls } = assemble([
      { index: 0, name: 'one' },
      { index: 0, name: 'one', arguments: ' ' },
    ]);
    assert.deepEqual(announced, [{ type: 'tool-call-started', id: calls[0]?.id, name: 'one' }]);
    assert.equal(calls[0]?.arguments, '{}');
  });
});
