import assert from 'node:assert/strict';
import { until } from '../editor/until';
import { graphScenes } from './preview/graphScenes';
import { chat } from './support/chats';
import { panelSuite } from './support/panelSuite';

const { graph = chat(), graphFailed = chat() } = graphScenes();

describe('The card of a graph run', () => {
  const open = panelSuite();

  it('has a row for each node, with what it did and where it continued', async () => {
    const { page, host } = await open({ state: graph });
    const card = page.getByRole('article', { name: 'Graph careful-coder, running' });
    const rows = card.getByRole('list', { name: 'Nodes' }).getByRole('listitem');
    assert.equal(await rows.count(), 4);
    assert.match(
      (await rows.nth(1).innerText()).replace(/\s+/g, ' '),
      /^done: analyze → route_plan 8\.2k tokens · \$0\.02 · 2 s/,
    );
    assert.match((await rows.nth(2).innerText()).replace(/\s+/g, ' '), /^running: each_file 3 of 20 · /);
    await rows.nth(1).hover();
    await page.getByRole('button', { name: 'Open the transcript of analyze' }).click();
    await until('the request', () => host.asked('session/open-in-editor').length === 1);
    assert.deepEqual(host.asked('session/open-in-editor'), [{ sessionId: 'session-analyze' }]);
  });

  it('follows the events of its nodes, and shows how it ended', async () => {
    const { page, host } = await open({ state: graph });
    const [, entry] = graph.entries;
    assert.ok(entry?.kind === 'graph');
    const [, , each] = entry.nodes;
    assert.ok(each);
    host.emit({ type: 'graph-node-changed', entryId: 'g1', row: { ...each, items: { done: 4, of: 20 } } });
    await page.getByText('4 of 20').waitFor();
    host.emit({ type: 'graph-node-changed', entryId: 'g1', row: { ...each, step: 3 } });
    host.emit({ type: 'graph-changed', entryId: 'g1', changes: { status: 'cancelled', durationMs: 20_000 } });
    const card = page.getByRole('article', { name: 'Graph careful-coder, stopped' });
    await card.getByText('20 s').waitFor();
    assert.equal(await card.getByRole('listitem').count(), 5);
    assert.match(await card.getByRole('listitem').last().innerText(), /^stopped:/);
  });

  it('shows why a node failed', async () => {
    const { page } = await open({ state: graphFailed });
    const card = page.getByRole('article', { name: 'Graph careful-coder, failed' });
    await card.getByText('verify.sh ended with exit code 1.').waitFor();
  });
});
