import assert from 'node:assert/strict';
import { safeLabel, safeNotice } from '../../src/base/shown/safeText';

describe('Untrusted text in a label', () => {
  it('adds no icon and keeps all other characters', () => {
    assert.equal(safeLabel('$(check) done'), '\\$(check) done');
    assert.equal(safeLabel('$(loading~spin)$(x)'), '\\$(loading~spin)\\$(x)');
    assert.equal(safeLabel('costs $(5 or 6) and $PATH'), 'costs $(5 or 6) and $PATH');
  });

  it('adds no link to a notification', () => {
    assert.equal(safeNotice('[Open](command:evil) it'), '[Open] (command:evil) it');
  });

  it('stays on one line with everything visible', () => {
    for (const safe of [safeLabel, safeNotice]) assert.equal(safe('a\nb\u202ec'), 'a⏎b⟨U+202E⟩c');
  });
});
