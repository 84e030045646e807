import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CairnApi } from '../../src/library/cairnApi';

const settings = () => vscode.workspace.getConfiguration('cairn');
const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
const offered = () => vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('cairn_'));

const call = async (name: string, input: object, token?: vscode.CancellationToken) => {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
};

/** What the setting says is taken over a moment later. */
const offer = async (names: readonly string[] | undefined, until: (now: string[]) => boolean) => {
  await settings().update('editorTools', names, vscode.ConfigurationTarget.Global);
  while (!until(offered())) await new Promise(setImmediate);
};

describe('tools for the editor', () => {
  let api: CairnApi;

  before(async () => {
    const extension = vscode.extensions.getExtension<CairnApi>('cairn-agents.cairn');
    api = await (extension ?? assert.fail('Cairn is not there')).activate();
  });

  afterEach(() => offer(undefined, (names) => names.length === 0));

  it('are none until the person says so', async () => {
    assert.deepEqual(offered(), []);
    await assert.rejects(call('cairn_fs_ls', {}));
  });

  it('are those that only read, and read what agents may read', async () => {
    await offer(['reading'], (names) => names.length === 5);
    assert.deepEqual(offered().sort(), [
      ...['cairn_fs_cat', 'cairn_fs_glob', 'cairn_fs_grep', 'cairn_fs_ls', 'cairn_fs_read'],
    ]);
    const [first = assert.fail('the folder is empty')] = await vscode.workspace.fs.readDirectory(
      vscode.Uri.file(folder()),
    );
    assert.ok((await call('cairn_fs_ls', {})).includes(first[0]));
    await assert.rejects(call('cairn_fs_read', { path: 'no-such-file' }), /no-such-file/);
    await assert.rejects(call('cairn_fs_read', { wrong: true }), /path/);
  });

  it('ask as those of agents do, and do nothing when nobody allows it', async () => {
    await offer(['fs_write'], (names) => names.length === 1);
    const cancel = new vscode.CancellationTokenSource();
    const writing = call('cairn_fs_write', { path: 'made.txt', contents: 'x' }, cancel.token);
    const asked = api.onEvent(({ type }) => {
      if (type === 'approval-requested') cancel.cancel();
    });
    await assert.rejects(writing);
    asked.dispose();
    assert.ok(cancel.token.isCancellationRequested, 'somebody was asked');
    await assert.rejects(readFile(join(folder(), 'made.txt')));
  });
});
