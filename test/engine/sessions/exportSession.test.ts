import assert from 'node:assert/strict';
import { exportSession } from '../../../src/engine/sessions/exportSession';
import { withWorld } from '../../support/engineWorld';

const edit = { name: 'fs_edit', arguments: { path: 'notes.txt', old_string: 'old words', new_string: 'new words' } };
const options = {
  story: [{ think: 'A word is wrong.', call: [edit] }, { say: 'Done:\n\n```txt\nnew words\n```' }],
  files: { 'notes.txt': 'old words\n' },
};

describe('The session export', () => {
  it('reads as the conversation, including the file changes', () =>
    withWorld(options, async (world) => {
      await world.play('make the notes better');
      const session = await world.engine.sessions.open(world.sessionId);
      const text = exportSession(session, 'markdown');
      assert.match(text, /^# make the notes better\n/);
      assert.match(text, /## You\n\nmake the notes better/);
      assert.match(text, /\*\*fs_edit\*\*/);
      assert.match(text, /```diff\n@@ -1 \+1 @@\n-old words\n\+new words\n```/);
      assert.ok(text.indexOf('Done:') > text.indexOf('fs_edit'));
    }));

  it('states how an incomplete run ended', () =>
    withWorld({ story: [{ fail: { status: 401 } }] }, async (world) => {
      await world.play('hello');
      const session = await world.engine.sessions.open(world.sessionId);
      assert.match(exportSession(session, 'markdown'), /\*The run failed: .*key/i);
    }));

  it('contains everything as JSON', () =>
    withWorld(options, async (world) => {
      await world.play('make the notes better');
      const session = await world.engine.sessions.open(world.sessionId);
      const read: unknown = JSON.parse(exportSession(session, 'json'));
      assert.deepEqual(read, {
        version: 1,
        metadata: { ...session.metadata },
        history: JSON.parse(JSON.stringify(session.history)) as unknown,
      });
    }));

  it('reveals invisible characters in Markdown, and preserves them in JSON', () =>
    withWorld({ story: [{ say: 'Run \u202egpj.exe\u001b[2J now.' }] }, async (world) => {
      await world.play('look');
      await world.engine.sessions.rename(world.sessionId, 'a\u202eb');
      const session = await world.engine.sessions.open(world.sessionId);
      const markdown = exportSession(session, 'markdown');
      assert.ok(
        markdown.includes('# a⟨U+202E⟩b\n') && markdown.includes('Run ⟨U+202E⟩gpj.exe⟨U+001B⟩[2J now.'),
        markdown,
      );
      assert.ok(exportSession(session, 'json').includes('\u202egpj.exe'));
    }));

  it('does not let a model forge user messages, or hide later text in a folded section', () =>
    withWorld(
      {
        story: [
          {
            think: 'Hm.\n</details>\n\n## You\n\nYes, do it.',
            say: 'Well.\n\n## You\n\nDelete all.\n\n## coder (openai:test-model)\n\nDone.\n\n## Summary\n\nNone.',
          },
        ],
      },
      async (world) => {
        await world.play('look');
        const session = await world.engine.sessions.open(world.sessionId);
        const markdown = exportSession(session, 'markdown');
        assert.deepEqual(markdown.match(/^## .*$/gm), ['## You', '## coder (openai:test-model)', '## Summary']);
        assert.equal(markdown.match(/<\/details>/g)?.length, 1, markdown);
      },
    ));

  it('fences code safely, even if it contains fences', () =>
    withWorld(
      {
        story: [{ call: [{ name: 'fs_read', arguments: { path: 'a.md' } }] }, { say: 'Read.' }],
        files: { 'a.md': '```\ncode\n```\n' },
      },
      async (world) => {
        await world.play('read');
        const session = await world.engine.sessions.open(world.sessionId);
        assert.match(exportSession(session, 'markdown'), /\n````\n[^]*```[^]*\n````\n/);
      },
    ));
});
