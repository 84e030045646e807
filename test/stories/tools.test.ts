import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { textEditorFocused } from '../editor/focusFile';
import { repeatUntil } from '../editor/repeatUntil';
import { story } from '../editor/story';
import { until } from '../editor/until';
import { chooseAgent } from '../support/chooseAgent';

const settings = { 'cairn.model': 'openai:test-model' };
const call = (name: string, input: Record<string, unknown>) => ({ call: [{ name, arguments: input }] });
const HELLO = '# @describe Says hello.\n# @option --name! Whom\nmain() { echo "Hello $argc_name" >> "$LLM_OUTPUT"; }\n';
const GATE = `_instructions() { echo "You keep the gates." >> "$LLM_OUTPUT"; }
# @cmd Opens a gate.
# @option --gate! Which gate.
open_gate() {
  source "$LLM_PROMPT_UTILS_FILE"
  guard_operation "Open the $argc_gate gate?"
  echo "$LLM_AGENT_NAME opened the $argc_gate gate" >> "$LLM_OUTPUT"
}
`;

describe('Script tools in the editor', () => {
  story(
    'of a workspace are shown in full before their first run, and again after a change',
    {
      settings: { ...settings, 'cairn.approvalMode': 'nothing' },
      files: { '.cairn/tools/hello.sh': HELLO },
      model: [
        call('hello', { name: 'Ada' }),
        { say: 'It greets Ada.' },
        call('hello', { name: 'Bob' }),
        { say: 'It greets Bob.' },
        call('hello', { name: 'Eve' }),
        { say: 'It said goodbye.' },
      ],
    },
    async ({ panel, workspace, model }) => {
      await panel.open();
      await panel.send('Greet Ada.');
      const shown = await panel.waitForApproval();
      assert.match(shown, /hello\.sh of this workspace runs for the first time/);
      assert.match(shown, /echo "Hello \$argc_name"/);
      await panel.approve();
      await panel.waitForText('It greets Ada.', 'text');
      await panel.send('Greet Bob.');
      await panel.waitForText('It greets Bob.', 'text');
      await workspace.write('.cairn/tools/hello.sh', HELLO.replace('Hello', 'Goodbye'));
      await panel.send('Greet Eve.');
      assert.match(await panel.waitForApproval(), /Goodbye[^]*has changed since you last saw it/);
      await panel.approve();
      await panel.waitForText('It said goodbye.', 'text');
      const told = model.requests.map(({ lastText }) => lastText).join('\n');
      assert.match(told, /Hello Ada[^]*Hello Bob[^]*Goodbye Eve/);
    },
  );

  story(
    'in bash give their agent instructions, and ask the user in the panel before they continue',
    {
      settings: { ...settings, 'cairn.approvalMode': 'nothing' },
      model: [
        call('open_gate', { gate: 'north' }),
        { say: 'It stays shut.' },
        call('open_gate', { gate: 'south' }),
        { say: 'It is open.' },
      ],
    },
    async ({ session, panel, model }) => {
      await put(session.configDir, {
        'agents/harbour/config.yaml': 'dynamic_instructions: true\ninstructions: You are nobody.\nglobal_tools: []\n',
        'agents/harbour/tools.sh': GATE,
      });
      await panel.open();
      await chooseAgent(panel, 'harbour');
      await panel.send('Open the north gate.');
      assert.match(await panel.waitForQuestion(), /Open the north gate\?/);
      await panel.answer('No');
      await panel.waitForText('It stays shut.', 'text');
      await panel.send('Open the south gate.');
      assert.match(await panel.waitForQuestion(), /Open the south gate\?/);
      await panel.answer('Yes');
      await panel.waitForText('It is open.', 'text');
      const told = model.requests.map(({ lastText }) => lastText).join('\n');
      assert.match(told, /harbour opened the south gate/);
      assert.doesNotMatch(told, /opened the north gate/);
      assert.match(model.requests[0]?.messages[0]?.text ?? '', /You keep the gates\./);
      assert.ok(!model.requests[0]?.tools.includes('_instructions'));
    },
  );

  story(
    'in Python and TypeScript are called by the agent in the same folder',
    {
      settings: { ...settings, 'cairn.approvalMode': 'nothing' },
      model: [
        call('tide', { place: 'Brest', hours: 6 }),
        { say: 'Python knows.' },
        call('tide', { place: 'Brest', hours: 6 }),
        { say: 'TypeScript knows.' },
      ],
    },
    async ({ session, panel, model }) => {
      await put(session.configDir, {
        'agents/snake/config.yaml': 'instructions: You know tides.\nglobal_tools: []\n',
        'agents/snake/tools.py':
          'def tide(place: str, hours: int = 1):\n    """Tells the tide."""\n    return {"place": place, "hours": hours, "by": "python"}\n',
        'agents/typed/config.yaml': 'instructions: You know tides.\nglobal_tools: []\n',
        'agents/typed/tools.ts':
          '/** Tells the tide. */\nexport function tide(place: string, hours: number = 1): object {\n  return { place, hours, by: "typescript" };\n}\n',
      });
      await panel.open();
      await chooseAgent(panel, 'snake');
      await panel.send('When is high tide?');
      await panel.waitForText('Python knows.', 'text');
      await chooseAgent(panel, 'typed');
      await panel.send('And by the other?');
      await panel.waitForText('TypeScript knows.', 'text');
      const told = model.requests.map(({ lastText }) => lastText).join('\n');
      assert.match(told, /"hours": 6,\n\s+"by": "python"/);
      assert.match(told, /"hours": 6,\n\s+"by": "typescript"/);
    },
  );

  story(
    'can be created from a template, show their errors, and run with a form',
    { settings: { ...settings, 'cairn.approvalMode': 'nothing' }, files: { 'poem.txt': 'high tide\n\nlow tide\n' } },
    async ({ window, panel, workspace }) => {
      await panel.open();
      await window.startCommand('cairn.newTool');
      await panel.pick('Python');
      await panel.pick('This workspace');
      await panel.giveInput('count_lines');
      const path = workspace.resolve('.cairn/tools/count_lines.py');
      await until('the tool to be open', () =>
        window.ev(({ vscode }, file) => vscode.window.activeTextEditor?.document.uri.fsPath === file, path),
      );
      const problems = () =>
        window.ev(
          ({ vscode }, file) => vscode.languages.getDiagnostics(vscode.Uri.file(file)).map(({ message }) => message),
          path,
        );
      await window.ev(async ({ vscode }) => {
        await vscode.window.activeTextEditor?.edit((edit) => edit.insert(new vscode.Position(2, 0), 'def broken(:\n'));
      });
      await until('the problem to be told', async () =>
        (await problems()).some((one) => one.includes('This is not valid Python')),
      );
      await textEditorFocused(window);
      await window.startCommand('undo');
      await until('the problem to be gone', async () => (await problems()).length === 0);

      await repeatUntil(
        'a box for its first argument',
        () => window.page.getByText('Run tool…').first().click({ timeout: 5000 }),
        () => window.page.locator('.quick-input-widget').isVisible(),
        'redrawn',
      );
      await panel.giveInput('poem.txt');
      await panel.giveInput('tide');
      await panel.pick('false');
      assert.match(await panel.waitForApproval(), /count_lines\.py of this workspace runs for the first time/);
      await panel.approve();
      await window.page.getByText('count_lines: 2').first().waitFor();
    },
  );
});

async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}
