import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Deferred, Mutex } from '../../../src/base/async';
import type { ApprovalRequest } from '../../../src/engine';
import { authorize, type Authorizer, authorizeTogether } from '../../../src/engine/permissions/authorize';
import { toolPolicy } from '../../../src/engine/permissions/toolPolicy';
import { command } from './queries';

const { signal } = new AbortController();

const questionOf = (line: string) => ({
  ...{ query: command(line), input: { command: line }, sessionId: 's', callId: 'call', agent: 'lead' },
  ...{ title: 'A command', change: null, diff: null },
});

/** A user who approves everything, and the requests that they received. */
function person(more: Partial<Authorizer> = {}) {
  const asked: ApprovalRequest[] = [];
  const authorizer: Authorizer = {
    policy: toolPolicy,
    rulesets: () => Promise.resolve({}),
    handler: {
      ask(request) {
        asked.push(request);
        return Promise.resolve({ kind: 'once' });
      },
    },
    turns: new Mutex(),
    remember: () => Promise.resolve(),
    onDecision: () => Promise.resolve(),
    onRequest: () => undefined,
    onAnswer: () => undefined,
    ...more,
  };
  return { asked, authorizer };
}

describe('A question to the user', () => {
  it('waits, with those asked together, until the previous one is answered', async () => {
    const { asked, authorizer } = person();
    const before = new Deferred<void>();
    const first = authorizer.turns.take(() => before.promise, signal);
    const all = ['npm run one', 'npm run two'].map((line) => ({ question: questionOf(line), authorizer }));
    const answers = authorizeTogether(all, authorizer.turns, signal);
    for (let turns = 0; turns < 20; turns++) await setImmediate();
    assert.deepEqual(asked, []);
    before.resolve();
    await first;
    for (const answer of answers) assert.equal((await answer).kind, 'allowed');
    assert.deepEqual(
      asked.map(({ command: line }) => line),
      ['npm run one', 'npm run two'],
    );
  });

  it('offers no “always” rule that contains a secret', async () => {
    const strike = (text: string) => text.replaceAll('moon-4711', '•••');
    const { asked, authorizer } = person({ strike });
    for (const line of ['make moon-4711', 'make tides']) await authorize(questionOf(line), authorizer, signal);
    const [hidden, plain] = asked;
    assert.equal(hidden?.command, 'make •••');
    assert.doesNotMatch(JSON.stringify(hidden), /moon/);
    assert.match(JSON.stringify(plain?.offers), /make tides/);
  });
});
