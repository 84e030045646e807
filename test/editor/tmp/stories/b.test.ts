import { story } from '../../story';
const o = { developmentPath: '/tmp/fixture-ext' };
describe('stories', () => {
  story('one', o, async ({ panel, workspace }) => {
    await panel.open();
    await panel.send('x');
    await panel.approve();
    await panel.waitForTool('fs_edit', 'ok');
    await panel.approve();
    await panel.answer('Two');
    await panel.waitForText('The end');
    console.log((await workspace.read('README.md')).trim());
  });
  story('two', { ...o, trace: false }, async ({ panel, window }) => {
    await panel.open();
    await window.setPanelWidth(500);
    await window.panelScreenshot('/tmp/panel.png');
    await window.screenshot('/tmp/window.png');
  });
  story('three', o, async ({ panel }) => {
    await panel.open();
    await panel.waitForText('nope', 'text', 1000);
  });
  story('four times out', { ...o, timeoutMs: 25000 }, async ({ panel }) => {
    await panel.open();
    await panel.waitForText('nope', 'text', 100000);
  });
});
