import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import type { EditorSession } from '../editor/editorSession';
import type { EditorWindow } from '../editor/editorWindow';
import { pageFrame } from '../editor/pageFrame';
import { pressInDialog } from '../editor/pressInDialog';
import { pressKey } from '../editor/pressKey';
import { repoRoot } from '../editor/repoRoot';
import { story } from '../editor/story';
import { until } from '../editor/until';
import { chooseAgent } from '../support/chooseAgent';

const FAULTY = join(repoRoot, 'test/fixtures/mcp/faultyServer.mjs');
const settings = { 'cairn.model': 'openai:test-model', 'cairn.approvalMode': 'nothing' };
const call = (name: string, input: Record<string, unknown> = {}) => ({ call: [{ name, arguments: input }] });
const server = (...args: string[]) => ({ command: 'node', args: [FAULTY, ...args] });

/** Configures the user's own servers, which need no consent. */
async function configure({ configDir }: EditorSession, servers: Readonly<Record<string, object>>): Promise<void> {
  await mkdir(configDir, { recursive: true });
  await writeFile(join(configDir, 'mcp.json'), JSON.stringify({ mcpServers: servers }));
}

/** Starts these servers on the MCP page, and returns the page's document. */
async function startAll(window: EditorWindow, names: readonly string[]): Promise<Frame> {
  await window.startCommand('cairn.showMcpServers');
  const frame = await pageFrame(window, 'Cairn MCP Servers');
  for (const name of names) {
    const article = frame.getByRole('article', { name });
    await pressKey(article.getByRole('button', { name: `Start ${name}`, exact: true }));
    await article.getByText('Started', { exact: true }).waitFor();
  }
  return frame;
}

describe('MCP servers at work in the editor', () => {
  story(
    'have tools that models search for or never see, as the user chooses',
    {
      settings: { 'cairn.model': 'openai:test-model' },
      model: [
        call('mcp_search', { query: 'say a text' }),
        call('mcp_invoke', { tool: 'mcp__theirs__echo', arguments: { text: 'hello' } }),
        { say: 'Found it.' },
        call('mcp__theirs__echo', { text: 'again' }),
        { say: 'It is gone.' },
      ],
    },
    async ({ session, window, panel, model }) => {
      await configure(session, { theirs: server('none') });
      await panel.open();
      await window.startCommand('cairn.showMcpServers');
      const frame = await pageFrame(window, 'Cairn MCP Servers');
      const theirs = frame.getByRole('article', { name: 'theirs' });
      await pressKey(theirs.getByRole('button', { name: 'Start theirs', exact: true }));
      await theirs.getByText('3 tools').click();
      await theirs.getByLabel('Models are told about its tools').selectOption('search');
      await theirs.getByText('nothing of them in requests', { exact: false }).waitFor();
      await panel.send('Say hello.');
      const asked = await panel.waitForApproval();
      assert.match(asked, /theirs: echo/);
      await panel.approve();
      await panel.waitForText('Found it.', 'text');
      const [first, second, third] = model.requests;
      assert.ok(first?.tools.includes('mcp_invoke') && !first.tools.some((name) => name.startsWith('mcp__')));
      assert.match(second?.lastText ?? '', /mcp__theirs__echo: Says the text again\./);
      assert.match(third?.lastText ?? '', /You said: hello/);

      await theirs.getByLabel('Models are told about its tools').selectOption('off');
      const kept = () => readFile(join(session.configDir, 'mcp.json'), 'utf8');
      await until('it to be kept', async () => /"offer": "off"/.test(await kept()));
      await panel.send('Say it again.');
      await panel.waitForText('It is gone.', 'text');
      assert.ok(!model.requests.at(-1)?.tools.some((name) => name.startsWith('mcp')));
      assert.doesNotMatch(model.requests.at(-1)?.lastText ?? '', /You said/);
    },
  );

  story(
    'wait again if they would start something else, and the dialog shows both launch lines',
    { settings, model: [call('mcp__theirs__echo', { text: 'one' }), { say: 'First.' }, { say: 'Not now.' }] },
    async ({ window, panel, workspace, model }) => {
      const written = (fault: string) => JSON.stringify({ mcpServers: { theirs: server(fault) } });
      await workspace.write('.mcp.json', written('none'));
      await panel.open();
      await window.startCommand('cairn.showMcpServers');
      const frame = await pageFrame(window, 'Cairn MCP Servers');
      const theirs = frame.getByRole('article', { name: 'theirs' });
      const allow = theirs.getByRole('button', { name: 'Allow… theirs' });
      await pressKey(allow);
      await pressInDialog(window, 'Allow');
      await theirs.getByText('Started', { exact: true }).waitFor();
      await panel.send('Say one.');
      await panel.waitForText('First.', 'text');

      const change = { path: workspace.resolve('.mcp.json'), text: written('many') };
      await window.ev(async ({ vscode }, { path, text }) => {
        const document = await vscode.workspace.openTextDocument(path);
        const edit = new vscode.WorkspaceEdit();
        edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
        await vscode.workspace.applyEdit(edit);
        await document.save();
      }, change);
      await theirs.getByText('Changed', { exact: true }).waitFor();
      await panel.send('Say two.');
      await panel.waitForText('Not now.', 'text');
      assert.ok(!model.requests.at(-1)?.tools.some((name) => name.startsWith('mcp')));
      await pressKey(allow);
      const dialog = window.page.locator('.monaco-dialog-box');
      await dialog.getByText(`node ${FAULTY} many`).waitFor();
      assert.match(await dialog.innerText(), /You allowed before:\s+node \S+faultyServer\.mjs none/);
      await pressInDialog(window, 'Allow');
      await theirs.getByText('500 tools').waitFor();
    },
  );

  story(
    'show the progress of a call on its card, and are notified when the user stops it',
    { settings, model: [call('mcp__tides__wait'), call('mcp__tides__echo', { text: 'still here' }), { say: 'Good.' }] },
    async ({ session, window, panel, model, workspace }) => {
      await configure(session, { tides: server('slow', workspace.resolve('started')) });
      await panel.open();
      await startAll(window, ['tides']);
      await panel.send('Look it up.');
      await panel.waitForText('Read table 3 of 7');
      await panel.stop();
      await panel.waitForTool('mcp__tides__wait', 'cancelled');
      await panel.send('Are you there?');
      await panel.waitForText('Good.', 'text');
      assert.match(model.requests.at(-1)?.lastText ?? '', /You said: still here/);
      assert.match(await workspace.read('started'), /^\d+\n$/, 'it was started once');
    },
  );

  story(
    'return images to the model, and a tool that appears is offered with the next message',
    {
      settings,
      model: [
        call('mcp__draws__echo', { text: 'a tide' }),
        call('mcp__grows__echo', { text: 'grow' }),
        { say: 'I see it.' },
        { say: 'There is more.' },
      ],
    },
    async ({ session, window, panel, model }) => {
      await configure(session, { draws: server('draws'), grows: server('grows') });
      await panel.open();
      const frame = await startAll(window, ['draws', 'grows']);
      await panel.send('Draw it.');
      await panel.waitForText('I see it.', 'text');
      const images = model.requests[1]?.messages.flatMap((message) => message.images) ?? [];
      assert.match(images[0] ?? '', /^data:image\/png;base64,/);

      await frame.getByRole('article', { name: 'grows' }).getByText('2 tools').waitFor();
      await panel.send('What else?');
      await panel.waitForText('There is more.', 'text');
      assert.ok(model.requests.at(-1)?.tools.includes('mcp__grows__echo_louder'));
    },
  );

  story(
    'serve an agent that names them, and no other server of the user does',
    { settings, model: [call('mcp__tides__echo', { text: 'high' }), { say: 'High.' }, { say: 'Both.' }] },
    async ({ session, window, panel, model }) => {
      await configure(session, { tides: server('none'), other: server('structured') });
      await mkdir(join(session.configDir, 'agents'), { recursive: true });
      const agent = '---\nmcp_servers: [tides]\n---\nYou know tides.\n';
      await writeFile(join(session.configDir, 'agents', 'pilot.md'), agent);
      await panel.open();
      await startAll(window, ['tides', 'other']);
      await chooseAgent(panel, 'pilot');
      await panel.send('How high?');
      await panel.waitForText('High.', 'text');
      const offered = model.requests[0]?.tools.filter((name) => name.startsWith('mcp')) ?? [];
      assert.ok(offered.includes('mcp__tides__echo') && !offered.join().includes('other'), offered.join());
    },
  );
});
