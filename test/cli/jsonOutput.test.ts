import assert from 'node:assert/strict';
import { exitStatus } from '../../src/cli/exitStatus';
import { runOutput } from '../../src/cli/output';
import type { AgentEvent, AssistantMessage, RunOutcome } from '../../src/engine';

type Told = Parameters<ReturnType<typeof runOutput>['onEvent']>[0];

describe('The JSON output of a run', () => {
  const lead = { seq: 1, time: 1, sessionId: 's', runId: 'run', agentPath: ['lead'] };
  const worker = { ...lead, sessionId: 'w', runId: 'other', agentPath: ['lead', 'worker'] };
  const who = { id: 'm', time: 1, agent: 'lead', model: 'x:y' };
  const message: AssistantMessage = { role: 'assistant', ...who, parts: [], finish: 'stop' };
  const result = { callId: 'c', name: 'fs_ls', status: 'ok', text: '', detail: null, durationMs: 1 } as const;
  const used = (of: typeof lead, costUsd: number | null): AgentEvent => ({
    ...{ ...of, type: 'usage-reported', model: 'x:y', contextWindow: null, costUsd },
    usage: { inputTokens: 10, outputTokens: 1 },
  });
  const completed: RunOutcome = { kind: 'completed', answer: 'It is \u202edone\u0007.' };

  function printed(events: readonly Told[]): string {
    let text = '';
    const out = (more: string) => void (text += more);
    const output = runOutput('json', { out, err: out, outIsTerminal: false });
    for (const event of events) output.onEvent(event);
    output.finish(completed, { sessionId: 's', model: 'x:y' });
    return text;
  }

  it('counts turns and calls of the agent itself, and the usage of all', () => {
    const both = [lead, worker];
    const text = printed([
      ...both.flatMap((of): AgentEvent[] => [
        { ...of, type: 'reply-finished', message },
        { ...of, type: 'tool-finished', result },
        used(of, 0.25),
        { ...of, type: 'run-finished', outcome: completed, durationMs: of === lead ? 900 : 300 },
      ]),
    ]);
    assert.deepEqual(JSON.parse(text), {
      ...{ runId: 'run', sessionId: 's', model: 'x:y', outcome: completed, turns: 1, toolCalls: 1 },
      ...{ usage: { inputTokens: 20, outputTokens: 2 }, costUsd: 0.5, durationMs: 900 },
    });
    assert.ok(text.includes('\\u202edone\\u0007'), 'nothing invisible reaches a terminal');
  });

  it('has no cost once a part of it is not known', () => {
    const text = printed([used(lead, 0.25), used(worker, null), used(lead, 0.25)]);
    assert.match(text, /"costUsd": null/);
  });
});

describe('The exit status of a run', () => {
  it('tells its outcome to a script', () => {
    const failed = (reason: Extract<RunOutcome, { kind: 'failed' }>['reason']) =>
      ({ kind: 'failed', reason, message: '' }) as const;
    const statuses: readonly (readonly [RunOutcome, number])[] = [
      [{ kind: 'completed', answer: '' }, 0],
      [failed('server'), 1],
      [failed('internal'), 1],
      [failed('no-key'), 2],
      [failed('unknown-model'), 2],
      [failed('unknown-agent'), 2],
      [failed('configuration'), 2],
      [{ kind: 'limit-reached', limit: 'turns' }, 3],
      [{ kind: 'rejected', answer: '' }, 4],
      [{ kind: 'cancelled' }, 130],
    ];
    for (const [outcome, status] of statuses) assert.equal(exitStatus(outcome), status, JSON.stringify(outcome));
  });
});
