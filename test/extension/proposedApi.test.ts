import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('A proposed editor API', () => {
  it('is refused here, as for everyone who installs Cairn', () => {
    const register: unknown = Reflect.get(vscode.workspace, 'registerTimelineProvider');
    assert.ok(typeof register === 'function', 'the editor proposes it no more: take another one');
    assert.throws(
      () => Reflect.apply(register, vscode.workspace, ['file', { id: 'test', label: 'Test' }]),
      /CANNOT use API proposal/,
    );
  });
});
