import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { CairnApi } from '../../src/library/cairnApi';

const settings = () => vscode.workspace.getConfiguration('cairn');
const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
const call = async (name: string, input: object) => {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
};

/** Whether the tool is registered: if so, it reports what is wrong with its input. */
const isOffered = (name: string) =>
  call(name, { wrong: true }).then(
    () => false,
    (error: unknown) => String(error).includes('wrong is unknown'),
  );

/** A change of the setting takes effect a moment later. */
const offer = async (names: readonly string[] | undefined, tool: string, isThere: boolean) => {
  await settings().update('editorTools', names, vscode.ConfigurationTarget.Global);
  while ((await isOffered(tool)) !== isThere) await new Promise(setImmediate);
};

describe('Editor tools', () => {
  before(async () => {
    const extension = vscode.extensions.getExtension<CairnApi>('cairn-agents.cairn');
    await (extension ?? assert.fail('Cairn is not there')).activate();
  });

  afterEach(() => offer(undefined, 'cairn_fs_ls', false));

  it('are not offered until the user enables them', async () => {
    assert.equal(await isOffered('cairn_fs_ls'), false);
    await assert.rejects(call('cairn_fs_ls', {}));
  });

  it('are read-only, and read what agents may read', async () => {
    await offer(['reading'], 'cairn_fs_ls', true);
    for (const name of ['cat', 'glob', 'grep', 'ls', 'read']) assert.ok(await isOffered(`cairn_fs_${name}`), name);
    const [first = assert.fail('the folder is empty')] = await vscode.workspace.fs.readDirectory(
      vscode.Uri.file(folder()),
    );
    assert.ok((await call('cairn_fs_ls', {})).includes(first[0]));
    await assert.rejects(call('cairn_fs_read', { path: 'no-such-file' }), /no-such-file/);
    await assert.rejects(call('cairn_fs_read', { wrong: true }), /path/);
  });
});
