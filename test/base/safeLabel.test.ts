import assert from 'node:assert/strict';
import { safeLabel, safeNotice } from '../../src/base/shown/safeLabel';

describe('a text that is not ours in the editor', () => {
  it('brings no icon into a label, and keeps every other sign', () => {
    assert.equal(safeLabel('$(check) done'), '\\$(check) done');
    assert.equal(safeLabel('$(loading~spin)$(x)'), '\\$(loading~spin)\\$(x)');
    assert.equal(safeLabel('costs $(5 or 6) and $PATH'), 'costs $(5 or 6) and $PATH');
  });

  it('brings no link into a notification', () => {
    assert.equal(safeNotice('[Open](command:evil) it'), '[Open] (command:evil) it');
  });

  it('stays one line in which everything is seen', () => {
    for (const safe of [safeLabel, safeNotice]) assert.equal(safe('a\nb\u202ec'), 'a⏎b⟨U+202E⟩c');
  });
});
