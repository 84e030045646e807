import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { approval, chat, dateDiff, run, tool } from './support/chats';
import { scenes } from './preview/scenes';
import { panelSuite } from './support/panelSuite';
import { until } from '../editor/until';

const FOLDER = 'packages/server/src/routes/administration/users';
const paths = ['one', 'two'].map((name) => `${FOLDER}/${name}UserHandler.ts`);
const diffs = paths.map((path) => ({ ...dateDiff, path }));
const turn = {
  ...({ kind: 'turn', id: 'turn', mode: 'agent', runId: 'run', messageId: 'u', outcome: 'completed' } as const),
  ...{ durationMs: 1_000, inputTokens: 1, outputTokens: 1, commands: 0 },
  files: paths.map((path) => ({ path, added: 1, removed: 0 })),
};

/** The characters of matching elements that can be seen, one text per element. */
function visibleTexts(page: Page, selector: string): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => {
    let seen = '';
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const clips = [];
      for (let box = node.parentElement; box !== element.parentElement; box = box.parentElement) {
        if (getComputedStyle(box).overflowX !== 'visible') clips.push(box.getBoundingClientRect());
      }
      for (let at = 0; at < node.data.length; at++) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { left, right } = range.getBoundingClientRect();
        if (clips.every((clip) => left >= clip.left - 0.5 && right <= clip.right + 0.5)) seen += node.data[at];
      }
    }
    return seen;
  })`);
}

describe('A narrow panel', () => {
  const open = panelSuite();

  it('cuts the folders of a path, so that files can be told apart', async () => {
    const done = tool('e', {
      ...{ tool: 'fs_edit', category: 'write', title: `Edit ${paths[0] ?? ''}` },
      detail: { kind: 'change', diff: { ...dateDiff, path: paths[0] ?? '' } },
    });
    const read = tool('r', {
      title: `Read ${paths[1] ?? ''} 1–20`,
      detail: { kind: 'file', path: paths[1] ?? '', firstLine: 1, lastLine: 20, text: 'x' },
    });
    const ids = ['a', 'b'];
    const edits = ids.map((id) => tool(id, { tool: 'fs_edit', category: 'write', status: 'waiting' }));
    const state = chat({
      entries: [done, read, turn, ...edits],
      approvals: ids.map((id, at) => approval(id, { diff: diffs[at] ?? dateDiff, together: ids })),
      run: run('waiting-for-approval'),
    });
    const { page } = await open({ state, width: 300 });
    await page.getByRole('button', { name: /2 files/ }).click();
    await page.locator('.file-link').first().waitFor();
    const [edited = ''] = await visibleTexts(page, '[data-entry-id=e] .card-title');
    assert.match(edited, /^Edit .*oneUserHandler\.ts$/);
    const [reading = ''] = await visibleTexts(page, '[data-entry-id=r] .fold-title');
    assert.match(reading, /^Read .*twoUserHandler\.ts 1–20$/);
    for (const rows of ['.edit-file .card-title', '.file-link .path']) {
      const [one = '', two = ''] = await visibleTexts(page, rows);
      assert.match(one, /oneUserHandler\.ts$/, rows);
      assert.match(two, /twoUserHandler\.ts$/, rows);
    }
  });

  it('cuts nothing of a path that fits', async () => {
    const entries = ['Edit', 'Write'].map((verb) =>
      tool(verb, {
        ...{ tool: 'fs_edit', category: 'write', title: `${verb} ${dateDiff.path}` },
        detail: { kind: 'change', diff: dateDiff },
      }),
    );
    const { page } = await open({ state: chat({ entries }), width: 300 });
    await page.locator('.card-title').nth(1).waitFor();
    assert.deepEqual(await visibleTexts(page, '.card-title'), ['Edit src/date.ts', 'Write src/date.ts']);
  });

  it('shows the names of the agent and the model, on a second line where the first is full', async () => {
    const model = { id: 'anthropic:claude-sonnet-5-5', label: 'Claude Sonnet 5.5', scripted: false };
    for (const width of [180, 215, 240, 280]) {
      const panel = await open({ state: chat({ model }), width });
      const { page } = panel;
      const names = await visibleTexts(page, ':is([data-role=agent], [data-role=model]) .choice-label');
      assert.deepEqual(names, ['coder', model.label], `at ${width} px`);
      const [choices, send] = await Promise.all(
        ['[data-role=approval-mode]', '.send'].map((one) => page.locator(one).boundingBox()),
      );
      assert.ok(choices && send && send.x + send.width <= width, `Send at ${width} px`);
      assert.ok(send.x > width - 60, `Send is at the end of its line at ${width} px`);
      await panel.close();
    }
  });

  it('shows the nodes of a graph within their card', async () => {
    for (const width of [180, 250]) {
      const panel = await open({ state: scenes()['graph'] ?? chat(), width });
      await panel.page.locator('.graph-nodes').waitFor();
      const [inner, outer] = await panel.page.evaluate<number[]>(
        `(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('.graph-nodes'))`,
      );
      assert.equal(inner, outer, `at ${width} px`);
      await panel.close();
    }
  });

  it('shows the whole text of an error', async () => {
    const output = `${paths[0] ?? ''} was not read, so nothing was written. Read it first.`;
    const { page } = await open({
      state: chat({ entries: [tool('w', { title: 'Write a file', category: 'write', status: 'error', output })] }),
      width: 300,
    });
    await page.locator('.tool-output').waitFor();
    assert.deepEqual(await visibleTexts(page, '.tool-output'), [output]);
  });

  it('lines up the buttons of a notice', async () => {
    const notice = {
      ...({ kind: 'notice', id: 'n', level: 'error', text: 'OpenAI has no such model.' } as const),
      action: { label: 'Choose another model', command: 'chooseModel' } as const,
    };
    const { page } = await open({
      state: chat({ entries: [notice, { ...turn, outcome: 'failed', files: [] }] }),
      width: 240,
    });
    const buttons = page.locator('.notice vscode-button');
    const [first, second] = await Promise.all([0, 1].map((at) => buttons.nth(at).boundingBox()));
    assert.ok(first && second && second.y > first.y, 'the second button is on a line of its own');
    assert.equal(second.x, first.x);
  });
});

describe('A low panel', () => {
  const open = panelSuite();
  const isWithin = async (page: Page, selector: string): Promise<boolean> => {
    const [inner, outer] = await Promise.all(
      [page.locator(selector).first(), page.locator(selector === '.stop' ? 'body' : '.transcript')].map((one) =>
        one.boundingBox(),
      ),
    );
    return !!inner && !!outer && inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
  };

  it('shows the buttons of what waits for the user, and Stop', async () => {
    const names = { commandApproval: 'Allow', approval: 'Accept', question: 'Answer' };
    for (const [scene, name] of Object.entries(names)) {
      const panel = await open({ state: scenes()[scene] ?? chat(), width: 1400 });
      const { page } = panel;
      await page.setViewportSize({ width: 1400, height: 220 });
      const button = `vscode-button:has-text("${name}")`;
      await until(`${name} to be in view`, () => isWithin(page, button));
      await until('Stop to be in view', () => isWithin(page, '.stop'));
      await panel.close();
    }
  });

  it('shows Stop and what waits even if there is no room for the conversation', async () => {
    const panel = await open({ state: scenes()['approval'] ?? chat(), width: 1400 });
    const { page } = panel;
    await page.setViewportSize({ width: 1400, height: 130 });
    await until('Stop to be in view', () => isWithin(page, '.stop'));
  });
});
