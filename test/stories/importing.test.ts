import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EditorWindow } from '../editor/editorWindow';
import { repoRoot } from '../editor/repoRoot';
import { story } from '../editor/story';
import { until } from '../editor/until';
import { chooseAgent } from '../support/chooseAgent';
import { QuickList } from '../support/quickList';

const FIXTURES = join(repoRoot, 'test', 'fixtures', 'import');
/** The locations of other tools on this machine are redirected to an empty place. */
const NOWHERE = join(FIXTURES, 'nowhere');
const env = {
  COYOTE_CONFIG_DIR: join(FIXTURES, 'coyote'),
  CLAUDE_CONFIG_DIR: join(FIXTURES, 'claude', '.claude'),
  XDG_CONFIG_HOME: NOWHERE,
  XDG_DATA_HOME: NOWHERE,
};

describe('Importing from other tools', () => {
  story(
    'copies the files of Coyote and Claude Code, shows the result, and lists their sessions in the history',
    { env, model: [{ say: 'Rhymes, as before.' }] },
    async ({ session, window, panel }) => {
      await panel.open();
      await window.startCommand('cairn.importFromTools');
      await panel.pick('Everything Found');
      await takeAll(window, /MCP servers/);
      await pageHas(window, /\*\*agent planner\*\*: copied to/);
      await pageHas(window, /\*\*agent coder\*\*: copied to .*coder-coyote\n {2}- coder already exists/);
      await pageHas(window, /torn\.yaml:2:1/);
      await pageHas(window, /permission rule allow Bash.*skipped\n.*Rules that allow are not imported/);
      assert.doesNotMatch(await page(window), /sk-live|ghp_|sk-ant/);
      const rules = await readFile(join(session.configDir, 'permissions.json'), 'utf8');
      assert.match(rules, /"git",\s+"push"[^]*"ask"/);

      await chooseAgent(panel, 'planner');
      await new QuickList(window).open('cairn.openSession');
      await panel.pick('harbour (from Coyote)');
      await panel.waitForText('It was built in 1822.', 'text');
      await panel.send('Go on.');
      await panel.waitForText('Rhymes, as before.', 'text');

      await window.startCommand('cairn.importFromTools');
      await panel.pick('Claude Code');
      await takeAll(window, /session/);
      await pageHas(window, /: 0 copied, \d+ already imported/);
    },
  );

  story(
    'stores secrets only if selected, in the editor’s secret storage',
    { env, model: [] },
    async ({ session, window, panel }) => {
      await panel.open();
      await window.startCommand('cairn.importFromTools');
      await panel.pick('Coyote');
      const list = new QuickList(window);
      await list.waitForRow('Secrets');
      await list.toggle('Secrets');
      await takeAll(window, /Secrets/);
      await pageHas(window, /Its secret is in the secret storage as OPENAI\\_API\\_KEY/);
      assert.match(await readFile(join(session.configDir, 'config.yaml'), 'utf8'), /api_key: "\{\{OPENAI_API_KEY\}\}"/);
      await list.open('cairn.manageSecrets');
      await list.waitForRow('TAVILY_API_KEY');
      await list.dismiss();
    },
  );
});

async function takeAll(window: EditorWindow, row: RegExp): Promise<void> {
  const list = new QuickList(window);
  await list.waitForRow(row);
  await list.accept();
}

function page(window: EditorWindow): Promise<string> {
  return window.ev(
    ({ vscode }) =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'cairn-import')?.getText() ?? 'no page',
  );
}

async function pageHas(window: EditorWindow, text: RegExp): Promise<void> {
  await until(`the report to say ${String(text)}`, async () => text.test(await page(window)));
}
