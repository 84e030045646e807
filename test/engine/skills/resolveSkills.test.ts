import assert from 'node:assert/strict';
import { resolveSkills, type SkillLevels } from '../../../src/engine/skills/resolveSkills';

const INSTALLED = ['a', 'b', 'c'];
const NOBODY: SkillLevels = { session: {}, agent: {}, role: {}, global: {} };
const resolved = (levels: Partial<SkillLevels>) => resolveSkills({ ...NOBODY, ...levels }, INSTALLED);

describe('the policy of skills', () => {
  it('lets everything be loaded that is there, or visible, when nobody says more', () => {
    assert.deepEqual(resolved({}).names, ['a', 'b', 'c']);
    assert.deepEqual(resolved({ global: { visible: ['b'] } }).names, ['b']);
  });

  it('takes the first of session, agent, role and person that names skills; an empty list means none', () => {
    const all = { session: { names: ['a'] }, agent: { names: ['b'] }, role: { names: ['c'] }, global: { names: [] } };
    assert.deepEqual(resolved(all).names, ['a']);
    assert.deepEqual(resolved({ ...all, session: {} }).names, ['b']);
    assert.deepEqual(resolved({ ...all, session: {}, agent: {} }).names, ['c']);
    assert.deepEqual(resolved({ global: { names: [] } }).names, []);
  });

  it('is off when anyone turns it off, and nobody turns it on again', () => {
    for (const level of ['session', 'agent', 'role', 'global']) {
      assert.deepEqual(resolved({ session: { on: true }, [level]: { on: false } }).names, [], level);
    }
  });

  it('never goes beyond what is visible and there, and says so', () => {
    const { names, problems } = resolved({ agent: { names: ['a', 'b', 'gone', '../x'] }, global: { visible: ['a'] } });
    assert.deepEqual(names, ['a']);
    assert.equal(problems.length, 3);
    assert.match(problems.join('\n'), /“b”.*visible\.\n.*“gone”.*does not exist.*\n.*“\.\.\/x”.*not a valid/);
  });

  it('is told in the agent’s words before those of the role and the person', () => {
    const { injects, instructions } = resolved({
      agent: { instructions: 'Agent.' },
      role: { injects: false, instructions: 'Role.' },
    });
    assert.deepEqual([injects, instructions], [false, 'Agent.']);
  });
});
