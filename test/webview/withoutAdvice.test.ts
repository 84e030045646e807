import assert from 'node:assert/strict';
import { withoutAdvice } from '../../webview/transcript/tools/withoutAdvice';

const shown = (text: string, status: 'error' | 'rejected' | 'ok' = 'error') =>
  withoutAdvice({ advises: true, status }, text);

describe('What the user reads of a failed call', () => {
  it('is what happened, without the advice for the model', () => {
    for (const [text, left] of [
      [
        'notes.txt was removed in the meantime; nothing was written. Check with fs_ls before you go on.',
        'notes.txt was removed in the meantime; nothing was written.',
      ],
      ['src is a folder. See what is in it with fs_ls.', 'src is a folder.'],
      ['a.ts is empty, so old_string is not in it. Use fs_write.', 'a.ts is empty, so old_string is not in it.'],
      ['No file nope.txt. Nearby: notes.txt, huge.txt.', 'No file nope.txt. Nearby: notes.txt, huge.txt.'],
      ['No file a. To create it use fs_write.', 'No file a.'],
      ['No file a. Nearby: my_notes.md, old/my_file.', 'No file a. Nearby: my_notes.md, old/my_file.'],
    ] as const)
      assert.equal(shown(text), left);
    const refused = 'Not allowed: Only reading works. Do not try it again; find another way or say so.';
    assert.equal(shown(refused, 'rejected'), 'Not allowed: Only reading works.');
  });

  it('is everything that a command, a server, or a successful call said', () => {
    const said = 'It failed. Use --force.';
    for (const status of ['error', 'rejected'] as const) assert.equal(withoutAdvice({ status }, said), said);
    assert.equal(shown(said, 'ok'), said);
    assert.equal(shown(`It failed.\n${said}`), `It failed.\n${said}`);
  });
});
