import assert from 'node:assert/strict';
import { until } from '../editor/until';
import { panelSuite } from './support/panelSuite';
import { scenes } from './preview/scenes';

describe('The reason for a request', () => {
  const open = panelSuite();
  const { approval: state } = scenes();
  assert.ok(state);
  const [first] = state.approvals;
  assert.ok(first);
  const asking = (usual: boolean) =>
    Object.assign({}, state, {
      approvals: [Object.assign({}, first, { usual, reason: 'The approval mode is “Ask every time”.' })],
    });

  it('is shown at once if more than the approval mode asks', async () => {
    const { page } = await open({ state: asking(false) });
    await page.getByText('The approval mode is “Ask every time”.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Why am I asked?' }).count(), 0);
  });

  it('is shown on demand if only the approval mode asks, with a link to the rules', async () => {
    const { page, host } = await open({ state: asking(true) });
    const why = page.getByRole('button', { name: 'Why am I asked?' });
    await why.waitFor();
    assert.equal(await page.getByText('The approval mode is “Ask every time”.').count(), 0);
    await why.press('Enter');
    await page.getByText('The approval mode is “Ask every time”.').waitFor();
    await page.getByRole('button', { name: 'Show permissions' }).press('Enter');
    await until('the command', () => host.asked('command/run').length === 1);
    assert.deepEqual(host.asked('command/run'), [{ command: 'showPermissions' }]);
  });
});
