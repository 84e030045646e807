import assert from 'node:assert/strict';
import { collectReply } from '../../../../src/engine/llm/collectReply';
import type { LlmEvent } from '../../../../src/engine/llm/llmClient';
import { unlistedModel } from '../../../../src/engine/llm/model';
import { demoProvider } from '../../../../src/engine/llm/providers/demo';
import { callInput } from '../../../../src/engine/llm/sdk/sentParts';
import { type Message, textOf, toolCallsOf } from '../../../../src/engine/messages/message';
import type { ToolCall, ToolResult } from '../../../../src/engine/messages/toolCall';
import { instantClock } from '../instantClock';
import { failureIn, NEVER, request, result, results, user } from '../support';

type World = Readonly<Record<string, Partial<ToolResult>>>;

const README = '1\t# Shop\n2\t\n3\tSells things.';
const WORLD: World = {
  fs_ls: { text: 'src/\n.env  30 B\nREADME.md  1.2 kB\npackage.json  500 B' },
  fs_read: { text: README },
  fs_edit: { text: 'Changed.' },
  fs_write: { text: 'Written.' },
  execute_command: { text: 'Exit code 0.\n\nHello' },
  user__ask: { text: 'The user answered: Write tests' },
};

/** Plays the tour to its end with these tool results. */
async function play(world: World, messages: Message[] = [user('Hello')]) {
  const client = demoProvider(instantClock()).client(unlistedModel('demo:tour'));
  const header = { agent: 'coder', model: 'demo:tour', time: 0 };
  const steps: { text: string; calls: ToolCall[] }[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const { message } = await collectReply(client.stream(request(messages), NEVER), header, () => undefined);
    const calls = toolCallsOf(message);
    steps.push({ text: textOf(message), calls });
    messages.push(message);
    if (calls.length === 0) return { steps, messages, calls: steps.flatMap((step) => step.calls) };
    messages.push(results(...calls.map(({ id, name }) => result(id, 'ok', { name, ...world[name] }))));
  }
  throw new Error('The tour does not end');
}

function inputOf(calls: readonly ToolCall[], name: string): Record<string, unknown> {
  const call = calls.find((one) => one.name === name);
  assert.ok(call, `no call of ${name}`);
  return callInput(call);
}

describe('demo:tour', () => {
  it('uses the real tools in order and states that it is scripted', async () => {
    const { steps } = await play(WORLD);
    assert.deepEqual(
      steps.map(({ calls }) => calls.map(({ name }) => name)),
      [
        ['todo__init', 'fs_ls'],
        ['fs_read'],
        ['todo__done', 'fs_edit'],
        ['todo__done', 'execute_command'],
        ['todo__done', 'user__ask'],
        [],
      ],
    );
    assert.match(steps[0]?.text ?? '', /scripted/);
    assert.match(steps[1]?.text ?? '', /```json\n/);
    assert.match(steps[3]?.text ?? '', /Accepted/);
    assert.match(steps[5]?.text ?? '', /run them with your own command[\s\S]*Cairn: Set API Key/);
    for (const { text } of steps) assert.doesNotMatch(text, /!|undefined|\p{Extended_Pictographic}/u);
  });

  it('adds a line under the first heading, matched by an exact and unique text', async () => {
    const { calls } = await play(WORLD);
    const input = inputOf(calls, 'fs_edit');
    assert.equal(input['path'], 'README.md');
    assert.equal(input['old_string'], '# Shop');
    assert.match(String(input['new_string']), /^# Shop\n\n\S.*$/);
  });

  it('removes the line of an earlier tour', async () => {
    const added = String(inputOf((await play(WORLD)).calls, 'fs_edit')['new_string']);
    const text = added
      .split('\n')
      .map((line, index) => `${index + 1}\t${line}`)
      .join('\n');
    const input = inputOf((await play({ ...WORLD, fs_read: { text } })).calls, 'fs_edit');
    assert.deepEqual([added.endsWith(String(input['old_string'])), input['new_string']], [true, '']);
  });

  for (const [what, text] of [
    ['no heading', '1\tJust text'],
    ['a heading that occurs twice', '1\t# A\n2\t## see # A'],
    ['no content', 'README.md is empty.'],
  ] as const) {
    it(`writes its own file when the readme has ${what}`, async () => {
      const { calls } = await play({ ...WORLD, fs_read: { text } });
      assert.equal(inputOf(calls, 'fs_write')['path'], 'cairn-tour.md');
    });
  }

  for (const [listing, path] of [
    ['package.json\nreadme.MD', 'readme.MD'],
    ['a.ts  12 kB\npackage.json', 'package.json'],
    ['docs/\n.npmrc.json\na.md  0 B\nhuge.md  300 kB\nlogo.png\nmy notes.txt', 'my notes.txt'],
  ] as const) {
    it(`reads ${path} first`, async () => {
      const { calls } = await play({ ...WORLD, fs_ls: { text: listing } });
      assert.equal(inputOf(calls, 'fs_read')['path'], path);
    });
  }

  it('runs in an empty folder, and when nothing can be listed', async () => {
    for (const fs_ls of [{ text: '. is empty.' }, { text: 'No folder is open.', status: 'error' }] as const) {
      const { steps } = await play({ ...WORLD, fs_ls });
      const names = steps.map(({ calls }) => calls.map(({ name }) => name).join());
      assert.deepEqual(names.slice(1, 3), ['todo__done', 'fs_write']);
      assert.equal(steps.length, 6);
    }
  });

  it('repeats why an edit was rejected, and continues', async () => {
    const fs_edit = { status: 'rejected', text: 'The user refused this and said: not in the readme' } as const;
    const { steps } = await play({ ...WORLD, fs_edit });
    assert.match(steps[3]?.text ?? '', /You said: “not in the readme” So `README.md` stays as it is/);
    assert.match(steps[5]?.text ?? '', /proposed a change to `README.md` and left it/);
  });

  it('continues when no one can be asked', async () => {
    const nobody = { status: 'rejected', text: 'Not done: it asks. Nobody is there to be asked. Go on.' } as const;
    const user__ask = { text: 'Nobody is there to answer. Decide yourself.' };
    const { steps } = await play({ ...WORLD, fs_edit: nobody, execute_command: nobody, user__ask });
    assert.match(steps[3]?.text ?? '', /Nobody was there to be asked/);
    assert.match(steps[4]?.text ?? '', /nothing was run/);
    assert.match(steps[5]?.text ?? '', /Nobody answered/);
  });

  it('runs only echo commands', async () => {
    const { calls } = await play(WORLD);
    const command = String(inputOf(calls, 'execute_command')['command']);
    for (const part of command.split(' && ')) assert.match(part, /^echo [\w ]+$/);
  });

  it('answers later messages honestly, and restarts when asked for the tour', async () => {
    const { messages } = await play(WORLD);
    const later = await play(WORLD, [...messages, user('Refactor my code')]);
    assert.equal(later.steps.length, 1);
    assert.match(later.steps[0]?.text ?? '', /scripted.*cannot answer/);
    assert.equal((await play(WORLD, [...later.messages, user('The Tour, please')])).steps.length, 6);
  });

  it('repeats an interrupted step, and does not count messages sent meanwhile', async () => {
    const { messages } = await play(WORLD);
    const [prompt, greeting, listed, reading] = messages;
    assert.ok(prompt && greeting && listed && reading?.role === 'assistant');
    const cut = { ...reading, finish: 'cut-off', parts: [] } as const;
    const { steps } = await play(WORLD, [prompt, greeting, listed, { ...cut, parts: [] }, user('Go on', true)]);
    assert.deepEqual(
      steps[0]?.calls.map(({ name }) => name),
      ['fs_read'],
    );
  });

  it('waits between words and stops when cancelled', async () => {
    const clock = instantClock();
    const controller = new AbortController();
    const events: LlmEvent[] = [];
    const client = demoProvider(clock).client(unlistedModel('demo:tour'));
    for await (const event of client.stream(request([user('Hi')]), controller.signal)) {
      events.push(event);
      if (events.length === 3) controller.abort();
    }
    assert.equal(events.length, 4);
    assert.equal(failureIn(events).reason, 'cancelled');
    assert.deepEqual(clock.waits, [12, 12, 12]);
  });
});
