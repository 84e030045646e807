import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { answerOf, asLead, LEAD, leadFile, toldAtAll, toldLast } from './leadWorld';
import { call, calls, collectAll, idsIn, resultsIn, says, spawn } from './teamStory';

const fileNamedIn = (result: string) => readFile(/"full_output": "([^"]+)"/.exec(result)?.[1] ?? assert.fail(), 'utf8');

describe('A subagent', () => {
  it('continues in its session with its history when started with that session (D-27)', () =>
    asLead(
      [
        says('worker', (request) => ({
          say: request.lastText === 'first' ? 'One.' : `Again after ${request.messages[2]?.text ?? ''}`,
        })),
        calls(spawn('worker', 'first')),
        collectAll,
        (request) => {
          const session = /"session_id": "([^"]+)"/.exec(resultsIn(request)[0] ?? '')?.[1];
          return call('agent__spawn', { agent: 'worker', prompt: 'second', session_id: session });
        },
        collectAll,
        { say: 'End.' },
      ],
      async (world) => {
        await world.play('go', LEAD);
        assert.match(toldLast(world), /Again after One\./);
        const children = (await world.engine.sessions.list()).filter(({ parent }) => parent);
        assert.equal(children.length, 1);
      },
    ));

  it('cannot continue in a session that is not one of its own', () =>
    asLead(
      [
        call('agent__spawn', { agent: 'worker', prompt: 'x', session_id: 'no-such' }),
        // The id of its own session.
        ({ messages }) => call('agent__spawn', { agent: 'worker', prompt: 'x', session_id: messages[1]?.text }),
        { say: '.' },
      ],
      async (world) => {
        await world.play(world.sessionId, LEAD);
        const told = toldAtAll(world);
        assert.match(told, /no-such[^]*Start a new agent without session_id\./);
        assert.match(told, /is not one of worker that you started/);
      },
    ));

  it('is known after a restart, with its answer', () =>
    asLead(
      [
        says('worker', { say: 'Kept.' }),
        calls(spawn('worker', 'x')),
        collectAll,
        { say: 'One.' },
        (request) => call('agent__check', { id: idsIn(request)[0] }),
        { say: 'Two.' },
      ],
      async (world) => {
        await world.play('go', LEAD);
        const later = await world.restart();
        await later.play('and?', LEAD);
        assert.match(toldLast(world), /"state": "completed"[^]*Kept\./);
      },
    ));

  it('is known after a restart with an excerpt of a long answer, without another request', () =>
    asLead(
      [
        says('worker', { say: `Evidence. ${'x'.repeat(600)} The end.`, chunk: 400 }),
        {
          when: ({ messages }) => messages[0]?.text.startsWith('Shorten the report') === true,
          step: { say: 'In short.' },
        },
        calls(spawn('worker', 'x')),
        collectAll,
        { say: 'One.' },
        (request) => call('agent__check', { id: idsIn(request)[0] }),
        { say: 'Two.' },
      ],
      async (world) => {
        await world.play('go', LEAD);
        await (await world.restart()).play('and?', LEAD);
        const result = toldLast(world);
        assert.match(result, /"output": "Evidence\. [^]*The end\.[^]*The whole answer is in/);
        assert.match(await fileNamedIn(result), /x{600} The end\.$/);
      },
      leadFile('summarization_threshold: 200'),
    ));

  it('that was interrupted by a shutdown is reported with how to resume it', () =>
    asLead(
      [
        says('worker', { say: 'Half a', hold: 'half' }),
        calls(spawn('worker', 'x')),
        { say: 'Wait.', hold: 'lead' },
        (request) => call('agent__collect', { id: idsIn(request)[0] }),
        { say: 'I see.' },
      ],
      async (world) => {
        const handle = world.run('go', LEAD);
        await world.server.untilRequests(3);
        await world.engine.shutDown();
        await handle.outcome;
        const later = await world.restart();
        await later.play('go on', LEAD);
        assert.match(toldLast(world), /"state": "interrupted"[^]*go on with session_id [0-9a-f-]{36}/);
      },
    ));

  it('has long answers summarized, with the full text in a file', () =>
    asLead(
      [
        says('worker', { say: `Line of evidence in b.ts:7. ${'x'.repeat(600)}`, chunk: 400 }),
        {
          when: ({ messages }) => messages[0]?.text.startsWith('Shorten the report') === true,
          step: { say: 'b.ts:7 it is.' },
        },
        calls(spawn('worker', 'x')),
        collectAll,
        { say: '.' },
      ],
      async (world) => {
        await world.play('go', LEAD);
        const result = toldLast(world);
        assert.match(result, /"output": "b\.ts:7 it is\."/);
        assert.match(await fileNamedIn(result), /^Line of evidence[^]*x{600}$/);
      },
      leadFile('summarization_threshold: 200'),
    ));

  it('loses nothing when its answer cannot be summarized (D-23)', () =>
    asLead(
      [
        says('worker', { say: `Evidence. ${'x'.repeat(600)} The end.`, chunk: 400 }),
        {
          when: ({ messages }) => messages[0]?.text.startsWith('Shorten the report') === true,
          step: { fail: { status: 400 } },
        },
        calls(spawn('worker', 'x')),
        collectAll,
        { say: '.' },
      ],
      async (world) => {
        await world.play('go', LEAD);
        const result = toldLast(world);
        assert.match(result, /"output": "Evidence\. [^]*The end\.[^]*could not be summed up; the whole answer is in/);
        assert.match(await fileNamedIn(result), /x{600} The end\.$/);
      },
      leadFile('summarization_threshold: 200'),
    ));

  it('that fails says why, and the lead continues', () =>
    asLead(
      [
        says('worker', { fail: { status: 400, body: { error: { message: 'No such thing' } } } }),
        calls(spawn('worker', 'x')),
        collectAll,
        { say: 'Without it.' },
      ],
      async (world) => {
        assert.equal(answerOf(await world.play('go', LEAD)), 'Without it.');
        const result = toldLast(world);
        assert.match(result, /"state": "failed",\s+"exit_status": "Failed\(.*No such thing/);
      },
    ));
});
