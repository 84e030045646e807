import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EditorSession } from '../editor/editorSession';
import type { EditorWindow } from '../editor/editorWindow';
import { story } from '../editor/story';
import { until } from '../editor/until';

describe('config.yaml in the editor', () => {
  story(
    'sets model, limits and key where no setting does, and the page shows the source of each',
    { key: false, model: [{ say: 'By the file.' }, { say: 'Still by the file.' }, { say: 'By the setting.' }] },
    async ({ session, window, panel, model }) => {
      await panel.open();
      await writeConfig(session, [
        'model: openai:of-file',
        'limits:',
        '  turns: 7',
        'theme: dark',
        'clients:',
        "  - { type: openai, api_key: 'test-key' }",
      ]);
      await window.startCommand('cairn.showEffectiveConfig');
      await pageHas(window, /`model`: openai:of-file \(config\.yaml:1\)/);
      await panel.send('hello');
      await panel.waitForText('By the file.', 'text');
      assert.match(JSON.stringify(model.requests[0]?.body), /"model":"of-file"/);
      assert.equal(model.requests[0]?.headers.authorization, 'Bearer test-key');

      await pageHas(window, /`limits\.turns`: 7 \(config\.yaml:3\)/);
      await pageHas(window, /`OPENAI_API_KEY`: set \(config\.yaml:6\)/);
      await pageHas(window, /config\.yaml:4:\d+: warning: “theme” has no effect/);
      assert.doesNotMatch(await page(window), /test-key/);

      await window.ev(({ vscode }) =>
        vscode.workspace.getConfiguration('cairn').update('model', 'openai:of-setting', true),
      );
      await pageHas(
        window,
        /openai:of-setting \(user setting `cairn\.model`\); overrides openai:of-file \(config\.yaml:1\)/,
      );
      // A request that names the session may come in between.
      const askedFor = (text: string) =>
        JSON.stringify(model.requests.find(({ lastText }) => lastText === text)?.body).slice(0, 100);
      await panel.send('again');
      await panel.waitForText('Still by the file.', 'text');
      assert.match(askedFor('again'), /"model":"of-file"/, 'a used session keeps its model');
      await panel.newSession();
      await panel.send('afresh');
      await panel.waitForText('By the setting.', 'text');
      assert.match(askedFor('afresh'), /"model":"of-setting"/);
    },
  );

  story(
    'sets the temperature and the MCP servers of agents, also by an alias, and can turn servers off',
    {
      settings: { 'cairn.model': 'openai:gpt-4.1' },
      model: [{ say: 'With a server.' }, { say: 'Without.' }],
    },
    async ({ session, window, panel, model }) => {
      const lines = ['temperature: 0.125', 'enabled_mcp_servers: harbour', 'mapping_mcp_servers: { harbour: tides }'];
      const launch = { command: 'node', args: ['-e', ''], offer: 'search' };
      await writeConfig(session, lines);
      const servers = { mcpServers: { tides: launch, hills: launch } };
      await writeFile(join(session.configDir, 'mcp.json'), JSON.stringify(servers));
      const serversIn = (at: number) =>
        /Finds tools of the MCP servers ([^b]*) by what/.exec(JSON.stringify(model.requests[at]?.body))?.[1];
      await panel.open();
      await panel.send('hello');
      await panel.waitForText('With a server.', 'text');
      assert.equal(serversIn(0), 'tides');
      assert.match(JSON.stringify(model.requests[0]?.body), /"temperature":0\.125/);
      await writeConfig(session, ['mcp_server_support: false', ...lines]);
      await window.startCommand('cairn.showEffectiveConfig');
      await pageHas(window, /`mcp_server_support`: false \(config\.yaml:1\)/);
      await pageHas(window, /`temperature`: 0\.125 \(config\.yaml:2\)/);
      await panel.send('again');
      await panel.waitForText('Without.', 'text');
      const again = model.requests.findIndex(({ lastText }) => lastText === 'again');
      assert.deepEqual([again > 0, serversIn(again)], [true, undefined]);
    },
  );

  story(
    'is reported with the line and ignored while it is invalid',
    { settings: { 'cairn.model': 'openai:test-model' } },
    async ({ session, window, panel }) => {
      await panel.open();
      await writeConfig(session, ['modle: openai:x']);
      await window.page
        .getByText(/config\.yaml:1:1: error: Unknown key “modle”/)
        .first()
        .waitFor();
      await window.startCommand('cairn.showEffectiveConfig');
      await pageHas(window, /## Cannot be read\s+- .*config\.yaml:1:1/);
      await writeConfig(session, ['approve: edits']);
      await pageHas(window, /`approve`: edits \(config\.yaml:1\); overrides edits-and-commands \(default\)/);
    },
  );
});

async function writeConfig({ configDir }: EditorSession, lines: readonly string[]): Promise<void> {
  await mkdir(configDir, { recursive: true });
  await writeFile(join(configDir, 'config.yaml'), `${lines.join('\n')}\n`);
}

function page(window: EditorWindow): Promise<string> {
  return window.ev(
    ({ vscode }) =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'cairn-config')?.getText() ?? 'no page',
  );
}

async function pageHas(window: EditorWindow, text: RegExp): Promise<void> {
  await until(`the page to have ${text.source}`, async () => text.test(await page(window)));
}
