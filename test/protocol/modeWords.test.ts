import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { approvalModeSchema, WORK_MODES } from '../../src/engine';
import { defaultRuleset, workModeRules } from '../../src/engine/permissions/modes';
import { approvalModeWords, workModeWords } from '../../src/protocol/modeWords';
import { repoRoot } from '../editor/repoRoot';

describe('Mode names', () => {
  it('match in settings, in the panel and in the reasons for approvals', () => {
    const texts = z
      .record(z.string(), z.string())
      .parse(JSON.parse(readFileSync(join(repoRoot, 'package.nls.json'), 'utf8')));
    for (const mode of approvalModeSchema.options) {
      const { full } = approvalModeWords(mode);
      assert.equal(texts[`mode.${mode}`], full);
      for (const { because } of defaultRuleset(mode)) if (because) assert.ok(because.includes(`“${full}”`), because);
    }
  });

  it('match in the panel and in rejections', () => {
    for (const mode of WORK_MODES) {
      for (const { because } of workModeRules(mode)) assert.ok(because?.includes(`${workModeWords(mode).label} mode`));
    }
  });
});
