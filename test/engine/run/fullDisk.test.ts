import assert from 'node:assert/strict';
import { existsSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent } from '../../../src/engine';
import { textOf } from '../../../src/engine/messages/message';
import { type EngineWorld, withWorld } from '../../support/engineWorld';

const AGENT = '.cairn/agents/busy.md';
const files = { [AGENT]: '---\nauto_continue: true\n---\nYou work.' };
const story = [
  { call: [{ name: 'todo__init', arguments: { todos: ['one'] } }] },
  { call: [{ name: 'fs_write', arguments: { path: 'a.txt', contents: 'new' } }] },
  { say: 'Half done.' },
  { say: 'All done.' },
];

/** Runs until the given moment, at which the disk fills up: from then on every write to the history fails. */
async function playUntilFull(world: EngineWorld, isThen: (event: AgentEvent) => boolean) {
  const history = join(world.sessionsFolder, world.sessionId, 'history.jsonl');
  const handle = world.run('work', { agent: 'busy' });
  const later: AgentEvent['type'][] = [];
  let isFull = false;
  handle.subscribe((event) => {
    if (isFull) later.push(event.type);
    if (isFull || !isThen(event)) return;
    isFull = true;
    renameSync(history, `${history}.kept`);
    symlinkSync('/dev/full', history);
  });
  return { outcome: await handle.outcome, later };
}

interface Moment {
  readonly when: string;
  readonly isThen: (event: AgentEvent) => boolean;
  /** The total number of requests to the model. */
  readonly requests: number;
  readonly isWritten: boolean;
  /** The event that is not emitted, because it cannot be stored. */
  readonly untold: AgentEvent['type'];
}

const calls = (type: AgentEvent['type'], tool: string) => (event: AgentEvent) =>
  event.type === type && 'tool' in event && event.tool === tool;
const ended = (holds: (text: string) => boolean) => (event: AgentEvent) =>
  event.type === 'reply-finished' && holds(textOf(event.message));

const MOMENTS: readonly Moment[] = [
  {
    when: 'an answer arrives',
    isThen: calls('tool-announced', 'fs_write'),
    requests: 2,
    isWritten: false,
    untold: 'reply-finished',
  },
  {
    when: 'a call is about to begin',
    isThen: calls('tool-prepared', 'fs_write'),
    requests: 2,
    isWritten: false,
    untold: 'tool-started',
  },
  { when: 'a call has finished', isThen: isWriteOver, requests: 2, isWritten: true, untold: 'checkpoint-taken' },
  {
    when: 'it continues automatically',
    isThen: ended((text) => text === 'Half done.'),
    requests: 3,
    isWritten: true,
    untold: 'auto-continued',
  },
  {
    when: 'it has announced that it continues',
    isThen: ({ type }) => type === 'auto-continued',
    requests: 3,
    isWritten: true,
    untold: 'reply-finished',
  },
];

function isWriteOver(event: AgentEvent): boolean {
  return event.type === 'tool-finished' && event.result.name === 'fs_write';
}

describe('A disk that fills up during a run', () => {
  for (const { when, isThen, requests, isWritten, untold } of MOMENTS)
    it(`ends the run when ${when}, before anything is done that cannot be saved`, function () {
      if (!existsSync('/dev/full')) this.skip();
      return withWorld({ files, story }, async (world) => {
        const { outcome, later } = await playUntilFull(world, isThen);
        assert.ok(outcome.kind === 'failed' && outcome.reason === 'session', JSON.stringify(outcome));
        assert.match(outcome.message, /the disk is full/);
        assert.equal(world.server.requests.length, requests);
        assert.equal(existsSync(join(world.folder, 'a.txt')), isWritten);
        assert.ok(!later.includes(untold), 'nothing is told that is not kept');
      });
    });
});
