import assert from 'node:assert/strict';
import { placeCode } from '../../src/host/editor/code/placeCode';
import { terminalLines } from '../../src/host/editor/code/terminalLines';

describe('A code block applied from the chat', () => {
  const file = 'export function a() {\n  return 1;\n}\n\nexport function b() {\n  return 2;\n}\n';

  it('replaces the text between its first and its last line', () => {
    assert.deepEqual(placeCode(file, 'export function a() {\n  return 3;\n}\n'), { start: 0, end: 3 });
    assert.deepEqual(placeCode(file, 'export function b() {\n  return 3;\n}'), { start: 4, end: 7 });
  });

  it('replaces the whole file if it does not occur in it', () => {
    assert.deepEqual(placeCode(file, 'const c = 1;\n'), { start: 0, end: 8 });
    assert.deepEqual(placeCode('x\nx\n', 'x\ny\nx\n'), { start: 0, end: 3 });
    assert.deepEqual(placeCode('a\nb\nc\n', 'c\nx\na\n'), { start: 0, end: 4 });
  });

  it('goes to a terminal without prompts, outputs, or control characters', () => {
    assert.deepEqual(terminalLines('$ npm test\n41 passing\n$ npm run build\n'), ['npm test', 'npm run build']);
    assert.deepEqual(terminalLines('$ npm test\n41 passing\n'), ['npm test']);
    assert.deepEqual(terminalLines('echo a\rrm b\n'), ['echo a', 'rm b']);
    assert.deepEqual(terminalLines('ec\u0003ho\t\u001b[200~a\n\n'), ['echo [200~a']);
  });
});
