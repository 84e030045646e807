import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pressInDialog } from '../editor/pressInDialog';
import { repoRoot } from '../editor/repoRoot';
import { story } from '../editor/story';
import { until } from '../editor/until';
import { QuickList } from '../support/quickList';
import { ProtectedMcpServer } from '../support/protectedMcpServer';

const FAULTY = join(repoRoot, 'test/fixtures/mcp/faultyServer.mjs');
const echo = (text: string) => ({ call: [{ name: 'mcp__theirs__echo', arguments: { text } }] });

describe('An MCP server in the editor', () => {
  story(
    'of a workspace starts only after its launch line is shown and allowed, and its calls ask',
    {
      settings: { 'cairn.model': 'openai:test-model' },
      model: [{ say: 'I have no such tool.' }, echo('hello'), { say: 'It said hello.' }],
    },
    async ({ window, panel, workspace, model }) => {
      const servers = { theirs: { command: 'node', args: [FAULTY, 'none'] } };
      await workspace.write('.mcp.json', JSON.stringify({ mcpServers: servers }));
      await panel.open();
      await panel.send('Say hello.');
      await panel.waitForText('I have no such tool.', 'text');
      await panel.waitForText('“theirs”', 'notice');
      assert.ok(!model.requests[0]?.tools.some((name) => name.startsWith('mcp')));

      const list = new QuickList(window);
      await list.openUntil('cairn.manageMcpServers', '', 'needs to be allowed');
      await list.take('needs to be allowed');
      const dialog = window.page.locator('.monaco-dialog-box');
      await dialog.getByText(`node ${FAULTY} none`).waitFor();
      await pressInDialog(window, 'Allow');
      await window.page.getByText('The MCP server theirs is ready and has 3 tools.').first().waitFor();

      await panel.send('Now say hello.');
      await panel.waitForApproval();
      await panel.approve();
      await panel.waitForText('It said hello.', 'text');
      assert.match(
        model.requests.map(({ lastText }) => lastText).join('\n'),
        /data from the MCP server theirs[^]*You said: hello/,
      );
    },
  );

  story(
    'that requires sign-in is signed in to from its row, after the whole address is shown',
    {
      settings: { 'cairn.model': 'openai:test-model' },
      model: [{ call: [{ name: 'mcp__theirs__whoami', arguments: {} }] }, { say: 'That is you.' }],
    },
    async ({ window, panel, workspace, model }) => {
      const own = await ProtectedMcpServer.start();
      try {
        await workspace.write('.mcp.json', JSON.stringify({ mcpServers: { theirs: { type: 'http', url: own.url } } }));
        await panel.open();
        const list = new QuickList(window);
        await list.openUntil('cairn.manageMcpServers', '', 'needs to be allowed');
        await list.take('needs to be allowed');
        await pressInDialog(window, 'Allow');
        await window.page.getByText('It requires you to sign in.').first().waitFor();

        await list.openUntil('cairn.manageMcpServers', '', 'requires you to sign in');
        await list.take('requires you to sign in');
        await list.take('Sign In');
        const dialog = window.page.locator('.monaco-dialog-box');
        const shown = await dialog.getByText(`${own.origin}/authorize?`).innerText();
        const address = shown.split(/\s/).find((word) => word.startsWith(own.origin)) ?? shown;
        const [page] = await Promise.all([
          window.page.context().waitForEvent('page'),
          pressInDialog(window, 'Open in browser'),
        ]);
        // This editor maps addresses on this machine to URLs of its own, which never happens in real sign-ins.
        await page.waitForURL(/authorize/);

        // Any web page can make the editor open a URI of Cairn. Nothing comes of it.
        const forged = await window.ev(async ({ vscode, extension }) => {
          const { uriScheme: scheme } = vscode.env;
          const authority = extension?.id ?? '';
          const own = vscode.Uri.from({ scheme, authority, path: '/mcp/sign-in', query: 'code=stolen&state=guessed' });
          return (await vscode.env.asExternalUri(own)).toString(true);
        });
        await page.goto(forged);
        await window.startCommand('cairn.showLog');
        const isLogged = () =>
          window.ev(({ vscode }) =>
            vscode.window.visibleTextEditors.some(({ document }) =>
              document.getText().includes('belongs to no sign-in'),
            ),
          );
        await until('what was forged to be in the log', isLogged);

        await page.goto(address);
        await page.waitForURL(/\/callback\?/);
        await page.close();
        await window.page.getByText('The MCP server theirs is ready and has 1 tool.').first().waitFor();

        await panel.send('Who am I?');
        await panel.waitForApproval();
        await panel.approve();
        await panel.waitForText('That is you.', 'text');
        const told = model.requests.map(({ lastText }) => lastText).join('\n');
        assert.match(told, /You are known by Bearer/);
        assert.doesNotMatch(told, /access-[0-9a-f]{8}/);
      } finally {
        await own.stop();
      }
    },
  );

  story(
    'asks the user in a form, which is validated and reviewed before it is sent, and about a page by its whole address',
    {
      settings: { 'cairn.model': 'openai:test-model' },
      model: [
        { call: [{ name: 'mcp__form__echo', arguments: { text: 'x' } }] },
        { say: 'The form is done.' },
        { call: [{ name: 'mcp__page__echo', arguments: { text: 'x' } }] },
        { say: 'The page was declined.' },
        { call: [{ name: 'mcp__page__echo', arguments: { text: 'x' } }] },
        { say: 'The page is done.' },
      ],
    },
    async ({ window, panel, workspace, model }) => {
      const server = (fault: string) => ({ command: 'node', args: [FAULTY, fault] });
      const servers = { form: server('asks-name'), page: server('asks-page') };
      await workspace.write('.mcp.json', JSON.stringify({ mcpServers: servers }));
      await panel.open();
      for (const name of ['form', 'page']) {
        const list = new QuickList(window);
        await list.openUntil('cairn.manageMcpServers', '', 'needs to be allowed');
        await list.take(name);
        await pressInDialog(window, 'Allow');
        await window.page.getByText(`The MCP server ${name} is ready and has 3 tools.`).first().waitFor();
      }

      await panel.send('Ask me.');
      await panel.waitForApproval();
      await panel.approve();
      assert.match(
        await panel.waitForQuestion(),
        /The MCP server “form” has a question, in its own words:\s+│ Who sails\?\s+│ Cairn: this was approved\./,
      );
      await panel.answer('Answer');
      await panel.answer('nobody');
      assert.match(await panel.waitForQuestion(), /It needs an email address\./);
      await panel.answer('ada@example.com');
      assert.match(await panel.waitForQuestion(), /This goes to the MCP server “form”:\s+│ email: ada@example\.com/);
      await panel.answer('Send');
      await panel.waitForText('The form is done.', 'text');

      await panel.send('Show me the page.');
      await panel.waitForApproval();
      await panel.approve();
      assert.match(
        await panel.waitForQuestion(),
        /open a page on log\.example\.[^]*│ https:\/\/log\.example\/sign\?in=1/,
      );
      await panel.answer('Decline');
      await panel.waitForText('The page was declined.', 'text');

      await panel.send('Show me the page again.');
      await panel.waitForApproval();
      await panel.approve();
      await panel.waitForQuestion();
      const opened = window.page
        .context()
        .waitForEvent('request', (request) => request.url().startsWith('https://log.example'));
      await panel.answer('Open the page');
      // The editor asks before opening any site.
      await pressInDialog(window, 'Open');
      const { searchParams } = new URL((await opened).url());
      assert.deepEqual(
        [...searchParams],
        [
          ['in', '1'],
          ['back', 'https://harbour.example/?x=1&y=2 3'],
        ],
      );
      await panel.waitForText('The page is done.', 'text');
      const told = model.requests.map(({ lastText }) => lastText).join('\n');
      assert.match(told, /"action":"accept","content":\{"email":"ada@example\.com"\}/);
      assert.match(told, /"action":"decline"/);
    },
  );
});
