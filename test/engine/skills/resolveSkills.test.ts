import assert from 'node:assert/strict';
import { resolveSkills, type SkillLevels } from '../../../src/engine/skills/skill';

const INSTALLED = ['a', 'b', 'c'];
const NOBODY: SkillLevels = { session: {}, agent: {}, role: {}, global: {} };
const resolved = (levels: Partial<SkillLevels>) => resolveSkills({ ...NOBODY, ...levels }, INSTALLED);

describe('The skill policy', () => {
  it('allows all existing skills, or the visible ones, by default', () => {
    assert.deepEqual(resolved({}).names, ['a', 'b', 'c']);
    assert.deepEqual(resolved({ global: { visible: ['b'] } }).names, ['b']);
  });

  it('uses the first of session, agent, role and user that lists skills; an empty list means none', () => {
    const all = { session: { names: ['a'] }, agent: { names: ['b'] }, role: { names: ['c'] }, global: { names: [] } };
    assert.deepEqual(resolved(all).names, ['a']);
    assert.deepEqual(resolved({ ...all, session: {} }).names, ['b']);
    assert.deepEqual(resolved({ ...all, session: {}, agent: {} }).names, ['c']);
    assert.deepEqual(resolved({ global: { names: [] } }).names, []);
  });

  it('is off when any level turns it off, and no level turns it on again', () => {
    for (const level of ['session', 'agent', 'role', 'global']) {
      assert.deepEqual(resolved({ session: { on: true }, [level]: { on: false } }).names, [], level);
    }
  });

  it('never goes beyond visible and existing skills, and reports it', () => {
    const { names, problems } = resolved({ agent: { names: ['a', 'b', 'gone', '../x'] }, global: { visible: ['a'] } });
    assert.deepEqual(names, ['a']);
    assert.equal(problems.length, 3);
    assert.match(problems.join('\n'), /“b”.*visible\.\n.*“gone”.*does not exist.*\n.*“\.\.\/x”.*not a valid/);
  });

  it('prefers the agent’s text over that of the role and the user', () => {
    const { injects, instructions } = resolved({
      agent: { instructions: 'Agent.' },
      role: { injects: false, instructions: 'Role.' },
    });
    assert.deepEqual([injects, instructions], [false, 'Agent.']);
  });
});
