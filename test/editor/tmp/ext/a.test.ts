import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
describe('the extension', () => {
  it('is known', async () => {
    const e = vscode.extensions.getExtension('cairn-agents.cairn');
    assert.ok(e);
    assert.deepEqual(await e.activate(), { hello: 'world' });
  });
  it('fails', () => {
    assert.equal(1, 2);
  });
});
