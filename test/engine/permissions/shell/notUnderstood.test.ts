import assert from 'node:assert/strict';
import { defaultRuleset } from '../../../../src/engine/permissions/defaultRuleset';
import { offerRules } from '../../../../src/engine/permissions/offerRules';
import { toolPolicy } from '../../../../src/engine/permissions/toolPolicy';
import { command } from '../queries';

describe('a line that is not understood', () => {
  const lines = [
    'echo "',
    'cat <<E\nx',
    'cat <<E\na\nE\\\nOF\nE',
    'ls (a)',
    'echo $(ls',
    `: ${'x'.repeat(130_000)}`,
    'ls\u0001',
    'cat <<E $(ls\n)\nE',
  ];
  for (const line of lines)
    it(`asks in every mode, and no rule answers it: ${JSON.stringify(line.slice(0, 40))}`, () => {
      const rulesets = { user: [{ tool: '*', action: 'allow' } as const], global: defaultRuleset('nothing') };
      assert.equal(toolPolicy.decide(command(line), rulesets).action, 'ask');
      assert.deepEqual(offerRules(command(line), rulesets, toolPolicy), []);
    });

  const understood = [
    'for f in a b; do echo "$f"; done',
    'case "$1" in a|b) echo x;; *) echo y;; esac',
    'if [[ "$x" == a* && -f b ]]; then echo $((x + 1)); fi',
    'f() { local x=1; echo "$x"; }; f',
    "git commit -m \"$(cat <<'EOF'\nit's done (really)\nEOF\n)\"",
    "cat > a.txt <<'EOF'\n$(not run) `nor this` \"\nEOF",
    'a=(1 2 3); for ((i = 0; i < 3; i++)); do echo "${a[$i]}"; done',
    'while read -r line; do echo "$line"; done < a.txt',
    'x=$(ls | wc -l) && echo "${x:-none}" > out.txt',
    '(cd sub && npm test) 2>&1 | tail -5',
  ];
  for (const line of understood)
    it(`is none of what people write: ${JSON.stringify(line.slice(0, 60))}`, () => {
      const { action, reason } = toolPolicy.decide(command(line), { global: defaultRuleset('nothing') });
      assert.equal(action, 'allow', reason);
    });
});
