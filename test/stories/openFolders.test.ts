import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { EditorSession } from '../editor/editorSession';
import { pageFrame } from '../editor/pageFrame';
import { Panel } from '../editor/panel';
import { story } from '../editor/story';
import { until } from '../editor/until';
import { QuickList } from '../support/quickList';

const settings = { 'cairn.model': 'openai:test-model' };
const shown = async (panel: Panel): Promise<string> => (await panel.locate('main.panel')).innerText();

describe('A window without a folder', () => {
  story(
    'says where files go, and lets the user open a folder',
    { settings, model: [{ say: 'Hello.' }] },
    async ({ session, model }) => {
      const window = await session.openWindow(null);
      const panel = new Panel(window);
      await panel.open();
      const folder = path.join(session.configDir, 'no-folder');
      await until('the panel to say so', async () => (await shown(panel)).includes(`Files that agents write go to `));
      assert.match(await shown(panel), /No folder is open\n[^\n]*no-folder/);
      await panel.send('hello');
      await panel.waitForText('Hello.', 'text');
      assert.ok(
        JSON.stringify(model.requests[0]?.messages).includes(
          `- No folder is open. Relative paths are meant from ${folder}`,
        ),
      );
      await window.command('cairn.newSession');
      await panel.press('Open folder');
      const list = new QuickList(window);
      await until('the editor to ask which', async () => (await list.rows()).length > 0);
    },
  );
});

describe('A window with several folders', () => {
  story(
    'names them all, and hears and shows each one’s files',
    {
      settings,
      files: { 'src/app.ts': 'export const a = 1;\n', 'AGENTS.md': 'First folder.\n' },
      model: [
        ({ messages }) => ({ call: [read(folderIn(messages[0]?.text ?? '', 'second'))] }),
        ({ messages }) => ({ call: [edit(folderIn(messages[0]?.text ?? '', 'second'))] }),
        { say: 'Edited.' },
      ],
    },
    async ({ session, model }) => {
      const second = await withSecondFolder(session);
      const panel = new Panel(await session.openWindow(path.join(second, '../both.code-workspace')));
      await panel.open();
      await until('the panel to name both', async () => (await shown(panel)).includes('Folders: sundial, second'));
      assert.match(await shown(panel), /MCP servers and script tools: only those of sundial/);
      await panel.send('change b');
      await panel.waitForApproval();
      await panel.approve();
      await panel.waitForText('Edited.', 'text');
      const [first = '', ...later] = model.requests.map(({ messages }) => messages.map(({ text }) => text).join('\n'));
      assert.ok(first.includes(`# From ${second}/AGENTS.md of this workspace\nSecond folder.`), 'said');
      assert.ok(!first.includes('Rule of the second folder.'));
      assert.ok(later.join('\n').includes('Rule of the second folder.'), 'said once seen');
      await panel.window.startCommand('cairn.showMcpServers');
      const page = await pageFrame(panel.window, 'Cairn MCP Servers');
      await page.getByText('Only the servers of the first folder, sundial, are read.').waitFor();
    },
  );
});

function read(folder: string) {
  return { name: 'fs_read', arguments: { path: `${folder}/src/app.ts` } };
}

function edit(folder: string) {
  return { name: 'fs_edit', arguments: { path: `${folder}/src/app.ts`, old_string: 'b = 2', new_string: 'b = 20' } };
}

/** The folder of that name that the prompt says is open too. */
function folderIn(prompt: string, name: string): string {
  return new RegExp(`Also open: (\\S*/${name});`).exec(prompt)?.[1] ?? '';
}

/** Creates a second folder beside that of the session, and a workspace file for both. */
async function withSecondFolder({ workspace }: EditorSession): Promise<string> {
  const second = path.join(workspace.path, '../second');
  await mkdir(path.join(second, 'src'), { recursive: true });
  await mkdir(path.join(second, '.github/instructions'), { recursive: true });
  await writeFile(path.join(second, 'src/app.ts'), 'export const b = 2;\n');
  await writeFile(path.join(second, 'AGENTS.md'), 'Second folder.\n');
  const rule = '---\napplyTo: "src/**/*.ts"\n---\nRule of the second folder.\n';
  await writeFile(path.join(second, '.github/instructions/ts.instructions.md'), rule);
  const folders = { folders: [{ path: 'sundial' }, { path: 'second' }] };
  await writeFile(path.join(second, '../both.code-workspace'), JSON.stringify(folders));
  return second;
}
