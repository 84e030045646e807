import assert from 'node:assert/strict';
import { story } from '../editor/story';
import { until } from '../editor/until';

describe('The scripted tour', () => {
  story('answers a new user’s first message, edits a real file and asks a question', async ({ panel, workspace }) => {
    const before = await workspace.read('README.md');
    await panel.open();
    const model = await panel.locate('[data-role=model]');
    await until('the panel to say that no model is running', async () =>
      /tour|scripted/i.test(await model.innerText()),
    );
    await panel.send('hello');
    await panel.waitForText('hello', 'user');
    await panel.waitForTool('fs_read', 'ok');
    await panel.approve();
    await panel.waitForTool('fs_edit', 'ok');
    assert.notEqual(await workspace.read('README.md'), before);
    await panel.approve();
    await panel.waitForTool('execute_command', 'ok');
    await panel.waitForQuestion();
    await panel.answer((await panel.questionOptions())[0] ?? 'anything');
    await panel.waitForTool('user__ask', 'ok');
    await panel.waitForText(/1 file/, 'turn');
    await until('the title', async () => (await panel.sessionTitle()) === 'hello');
  });
});
