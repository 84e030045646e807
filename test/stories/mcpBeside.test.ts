import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { EditorWindow } from '../editor/editorWindow';
import type { Panel } from '../editor/panel';
import { pressInDialog } from '../editor/pressInDialog';
import { repoRoot } from '../editor/repoRoot';
import { story } from '../editor/story';
import { until } from '../editor/until';
import { QuickList } from '../support/quickList';

const FAULTY = join(repoRoot, 'test/fixtures/mcp/faultyServer.mjs');
const SERVERS = JSON.stringify({ mcpServers: { tides: { command: 'node', args: [FAULTY, 'beside'] } } });
const settings = { 'cairn.model': 'openai:test-model' };

async function allow(window: EditorWindow): Promise<void> {
  const list = new QuickList(window);
  await list.openUntil('cairn.manageMcpServers', '', 'needs to be allowed');
  await list.take('needs to be allowed');
  await pressInDialog(window, 'Allow');
  await window.page.getByText('The MCP server tides is ready and has 3 tools.').first().waitFor();
}

/** Types into the message and takes the expected row once it is the active one. */
async function take(panel: Panel, text: string, row: string): Promise<void> {
  await (await panel.composer()).focus();
  await (await panel.composer()).pressSequentially(text);
  const active = (await panel.frame()).getByRole('option', { selected: true });
  await until(`the row ${row}`, async () => (await active.innerText({ timeout: 5000 })).includes(row));
  await (await panel.composer()).press('Enter');
}

function told({ requests }: { requests: readonly { lastText: string }[] }): string {
  return requests.map(({ lastText }) => lastText).join('\n');
}

describe('MCP server content other than tools', () => {
  story(
    'is found by @ once the server is allowed, and is sent as data with the message',
    {
      settings,
      model: [{ say: 'First done.' }, { say: 'Then done.' }],
    },
    async ({ window, panel, workspace, model }) => {
      await workspace.write('.mcp.json', SERVERS);
      await panel.open();
      await allow(window);
      await take(panel, '@tides:ti', 'Tides');
      await panel.send('When is it high?');
      await panel.waitForText('First done.', 'text');
      assert.match(
        told(model),
        /<attached source="docs:\/\/tides of the MCP server tides">\nIt says docs:\/\/tides [^]*&lt;\/attached>[^]*When is it high\?/,
      );

      await take(panel, '@docs://day', 'A day');
      const list = new QuickList(window);
      await list.waitForRow('Tuesday');
      await list.input().fill('T');
      await until('one day', async () => (await list.rows()).join().startsWith('Tuesday'));
      await list.take('Tuesday', async () => (await list.rows()).join().includes('Monday'));
      await list.input().fill('feet & inches');
      await list.take('feet & inches');
      await until('the chip', async () =>
        (await panel.frame()).getByRole('list', { name: 'Attachments' }).getByText('A day').isVisible(),
      );
      await panel.send('And on that day?');
      await panel.waitForText('Then done.', 'text');
      assert.match(told(model), /It says docs:\/\/day\/Tuesday\?unit=feet%20%26%20inches/);
    },
  );

  story(
    'is inserted as a message after /, with completions for its arguments, and shown before sending',
    { settings, model: [{ say: 'As high as a house.' }] },
    async ({ window, panel, workspace, model }) => {
      await workspace.write('.mcp.json', SERVERS);
      await panel.open();
      await allow(window);
      await take(panel, '/tides:as', '/tides:ask');
      const list = new QuickList(window);
      await list.waitForActive(/Monday/);
      await list.input().press('Enter');
      await until('the second value', async () => (await list.rows()).join().includes('Leave Empty'));
      await list.take('Leave Empty');
      const box = await panel.composer();
      await until('the message', async () => (await box.inputValue()) === 'How high is it on Monday in metres?');
      assert.equal(model.requests.length, 0);

      await box.fill('/tides:ask Tuesday unit=feet');
      await box.press('Enter');
      await until('the other message', async () => (await box.inputValue()) === 'How high is it on Tuesday in feet?');
      await box.press('Enter');
      await panel.waitForText('As high as a house.', 'text');
      assert.match(model.requests[0]?.lastText ?? '', /How high is it on Tuesday in feet\?/);
    },
  );
});
