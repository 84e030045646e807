import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EditorWindow } from '../editor/editorWindow';
import type { Panel } from '../editor/panel';
import { pageFrame } from '../editor/pageFrame';
import { pressInDialog } from '../editor/pressInDialog';
import { pressKey } from '../editor/pressKey';
import { repoRoot } from '../editor/repoRoot';
import { story } from '../editor/story';
import { until } from '../editor/until';
import { QuickList } from '../support/quickList';

const VALUE = 'Zq7Wx9KvJy4Bn2Rt8Lp5';
const NEW_VALUE = 'Hs3Fd6Gm1Tc8Ub5Xe0Ri';

const DEPLOY = `# @describe Deploys.
# @env DEPLOY_TOKEN!
main() { echo "deployed with $DEPLOY_TOKEN, which has \${#DEPLOY_TOKEN}" >> "$LLM_OUTPUT"; }
`;
const deploy = { call: [{ name: 'deploy', arguments: {} }] };
const FAULTY = join(repoRoot, 'test/fixtures/mcp/faultyServer.mjs');
const ECHO = { command: 'node', args: [FAULTY, 'none'] };
const TIDES = { call: [{ name: 'mcp__tides__echo', arguments: { text: 'high' } }] };

describe('Secrets in the editor', () => {
  story(
    'can be added, copied, updated and deleted, and no agent ever reads their values',
    {
      settings: { 'cairn.model': 'openai:test-model' },
      model: [{ call: [{ name: 'fs_cat', arguments: { path: 'told.txt' } }] }, { say: 'I have read it.' }],
    },
    async ({ window, panel, workspace, model }) => {
      await workspace.write('told.txt', `old ${VALUE} new ${NEW_VALUE}\n`);
      await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await panel.open();
      await add(window, panel, 'DEPLOY_TOKEN', VALUE);
      await act(window, panel, 'Copy Value');
      await until('the value to be on the clipboard', async () => (await clipboard(window)) === VALUE);

      await act(window, panel, 'Update Value');
      await panel.giveInput(NEW_VALUE);
      await seen(window, 'Secret DEPLOY_TOKEN updated.');
      await act(window, panel, 'Copy Value');
      await until('the new value to be on the clipboard', async () => (await clipboard(window)) === NEW_VALUE);

      await act(window, panel, 'Delete');
      await pressInDialog(window, 'Delete');
      await seen(window, 'Secret DEPLOY_TOKEN deleted.');
      const list = new QuickList(window);
      await list.open('cairn.manageSecrets');
      await list.waitForRow('Add Secret…');
      assert.ok(!(await list.rows()).join().includes('DEPLOY_TOKEN'));
      await list.dismiss();

      await panel.send('Read it.');
      await panel.waitForText('I have read it.', 'text');
      assert.match(model.requests[1]?.lastText ?? '', /old ••• new •••/);
    },
  );

  story(
    'named like an API key variable are used as that key',
    { settings: { 'cairn.model': 'openai:test-model' }, key: false, model: [{ say: 'The key fits.' }] },
    async ({ window, panel, model }) => {
      await panel.open();
      await add(window, panel, 'OPENAI_API_KEY', 'test-key');
      await panel.send('hello');
      await panel.waitForText('The key fits.', 'text');
      assert.equal(model.requests[0]?.headers.authorization, 'Bearer test-key');
      const list = new QuickList(window);
      await list.open('cairn.manageSecrets');
      await list.waitForRow('used as the API key for OpenAI');
      await list.dismiss();
    },
  );

  story(
    'missing for a tool are reported with what to do, and found once they are set',
    {
      settings: { 'cairn.model': 'openai:test-model', 'cairn.approvalMode': 'nothing' },
      model: [deploy, { say: 'It is missing.' }, deploy, { say: 'It is there.' }],
    },
    async ({ session, window, panel, model }) => {
      await put(session.configDir, 'tools/deploy.sh', DEPLOY);
      await panel.open();
      await panel.send('Deploy it.');
      await panel.waitForText('It is missing.', 'text');
      assert.match(model.requests[1]?.lastText ?? '', /needs DEPLOY_TOKEN, which is not set\. .*secret in the editor/);
      await add(window, panel, 'DEPLOY_TOKEN', VALUE);
      await panel.send('Try again.');
      await panel.waitForText('It is there.', 'text');
      const told = model.requests.map(({ lastText }) => lastText).join('\n');
      assert.match(told, /deployed with •••, which has 20/);
      assert.ok(!told.includes(VALUE));
    },
  );

  story(
    'that an MCP server misses are named, and it starts once they are set',
    {
      settings: { 'cairn.model': 'openai:test-model', 'cairn.approvalMode': 'nothing' },
      model: [{ say: 'Without it.' }, TIDES, { say: 'With it.' }],
    },
    async ({ session, window, panel, model }) => {
      const env = { TIDES_TOKEN: '{{TIDES_TOKEN}}' };
      const servers = { tides: { command: 'node', args: [FAULTY, 'refuses'], env }, echo: ECHO };
      await put(session.configDir, 'mcp.json', JSON.stringify({ mcpServers: servers }));
      await panel.open();
      await window.startCommand('cairn.showMcpServers');
      const frame = await pageFrame(window, 'Cairn MCP Servers');
      const start = (name: string) => pressKey(frame.getByRole('button', { name: `Start ${name}`, exact: true }));
      await start('tides');
      const tides = frame.getByRole('article', { name: 'tides' });
      await tides
        .getByRole('status')
        .getByText(/TIDES_TOKEN/)
        .waitFor();
      await start('echo');
      await frame.getByRole('article', { name: 'echo' }).getByText('Started', { exact: true }).waitFor();
      await panel.send('What is there?');
      await panel.waitForText('Without it.', 'text');
      assert.ok(model.requests[0]?.tools.includes('mcp__echo__echo'), 'others do not suffer');

      await add(window, panel, 'TIDES_TOKEN', VALUE);
      await start('tides');
      await tides.getByText('Started', { exact: true }).waitFor();
      await panel.send('And now?');
      await panel.waitForText('With it.', 'text');
      const told = model.requests.map(({ lastText }) => lastText).join('\n');
      assert.match(told, /key ••• is refused/);
      assert.ok(!told.includes(VALUE));
    },
  );

  story(
    'from the provider in config.yaml also reach tools, and no agent reads them',
    {
      settings: { 'cairn.model': 'openai:test-model', 'cairn.approvalMode': 'nothing' },
      model: [deploy, { say: 'Deployed.' }],
    },
    async ({ session, window, panel, model }) => {
      const bin = join(session.configDir, 'bin');
      const gopass = `#!/bin/sh\n[ "$4" = team/DEPLOY_TOKEN ] && echo ${VALUE}\n`;
      await put(session.configDir, 'bin/gopass', gopass);
      await chmod(join(bin, 'gopass'), 0o755);
      await put(session.configDir, 'tools/deploy.sh', DEPLOY);
      await window.ev((_, first) => void (process.env['PATH'] = `${first}:${process.env['PATH'] ?? ''}`), bin);
      await put(session.configDir, 'config.yaml', 'secrets_provider: { type: gopass, store: team }\n');
      await panel.open();
      // Reads the file, which the editor might otherwise notice only later.
      await window.command('cairn.showEffectiveConfig');
      await panel.send('Deploy it.');
      await panel.waitForText('Deployed.', 'text');
      const told = model.requests.map(({ lastText }) => lastText).join('\n');
      assert.match(told, /deployed with •••, which has 20/);
      assert.ok(!told.includes(VALUE));
    },
  );

  story('have unique names that fit between braces', {}, async ({ window, panel }) => {
    await panel.open();
    await add(window, panel, 'DEPLOY_TOKEN', VALUE);
    const list = new QuickList(window);
    for (const [name, problem] of [
      ['{TOKEN}', 'without braces'],
      ['DEPLOY_TOKEN', 'A secret named DEPLOY_TOKEN already exists.'],
    ] as const) {
      await list.open('cairn.addSecret');
      await list.input().fill(name);
      await window.page.locator('.quick-input-widget').getByText(problem).waitFor();
      await list.dismiss();
    }
  });
});

async function put(folder: string, name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

async function add(window: EditorWindow, panel: Panel, name: string, value: string): Promise<void> {
  await window.startCommand('cairn.addSecret');
  await panel.giveInput(name);
  await window.page.locator('.quick-input-widget input[type=password]').waitFor();
  await panel.giveInput(value);
  await seen(window, `Secret ${name} saved.`);
}

/** Applies an action to the only secret. */
async function act(window: EditorWindow, panel: Panel, action: string): Promise<void> {
  await window.startCommand('cairn.manageSecrets');
  await panel.pick('DEPLOY_TOKEN');
  await panel.pick(action);
}

async function seen(window: EditorWindow, text: string): Promise<void> {
  await window.command('notifications.showList');
  await window.page.locator('.notification-list-item', { hasText: text }).first().waitFor();
  await window.command('notifications.clearAll');
}

function clipboard(window: EditorWindow): Promise<unknown> {
  return window.ev(({ vscode }) => vscode.env.clipboard.readText());
}
