import assert from 'node:assert/strict';
import { asLead, LEAD, leadFile, toldAtAll } from './leadWorld';
import { calls, collectAll, says, spawn } from './teamStory';

const REUSES = leadFile('reuse_agent_sessions: true\n');
const childrenIn = async ({ engine }: Parameters<Parameters<typeof asLead>[1]>[0]) =>
  (await engine.sessions.list()).filter(({ parent }) => parent).length;

/** Answers with all the messages that it has received. */
const remembers = says('worker', ({ messages }) => ({
  say: `Asked: ${messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])).join(' then ')}.`,
}));
const twice = [remembers, calls(spawn('worker', 'first')), collectAll, calls(spawn('worker', 'second')), collectAll];

describe('An agent that is started again', () => {
  it('continues in its previous session when its parent asks for that', () =>
    asLead(
      [...twice, { say: 'End.' }],
      async (world) => {
        await world.play('go', LEAD);
        assert.match(toldAtAll(world), /Asked: first then second\./);
        assert.equal(await childrenIn(world), 1);
      },
      REUSES,
    ));

  it('starts a new session by default', () =>
    asLead([...twice, { say: 'End.' }], async (world) => {
      await world.play('go', LEAD);
      assert.match(toldAtAll(world), /Asked: second\./);
      assert.equal(await childrenIn(world), 2);
    }));

  it('has its own session while the other is running', () =>
    asLead(
      [remembers, calls(spawn('worker', 'first'), spawn('worker', 'second')), collectAll, { say: 'End.' }],
      async (world) => {
        await world.play('go', LEAD);
        assert.match(toldAtAll(world), /Asked: first\./);
        assert.match(toldAtAll(world), /Asked: second\./);
        assert.equal(await childrenIn(world), 2);
      },
      REUSES,
    ));

  it('also continues after a restart of the program', () =>
    asLead(
      [...twice.slice(0, 3), { say: 'One.' }, ...twice.slice(3), { say: 'Two.' }],
      async (world) => {
        await world.play('go', LEAD);
        const later = await world.restart();
        await later.play('again', LEAD);
        assert.match(toldAtAll(world), /Asked: first then second\./);
        assert.equal(await childrenIn(later), 1);
      },
      REUSES,
    ));
});
