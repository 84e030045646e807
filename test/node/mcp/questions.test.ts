import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type AnswerParts, answerServer } from '../../../src/engine/mcp/questions/answerServer';
import { nodeMcpConnector } from '../../../src/node/mcp/nodeMcpConnector';
import { onDispose } from '../../../src/base/disposable';
import { type Alarm, realAlarm } from '../../../src/node/realAlarm';
import { repoRoot } from '../../editor/repoRoot';
import { memorySignIns } from '../../support/memorySignIns';

const EVERYTHING = join(repoRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const FAULTY = join(repoRoot, 'test/fixtures/mcp/faultyServer.mjs');
const quiet = {
  timeoutMs: 30_000,
  secrets: [],
  onSaid: () => undefined,
  onEnd: () => undefined,
  onListsChanged: () => undefined,
};
const CALL_MS = 20_000;

type Asked = Parameters<AnswerParts['ask']>[0];

/** A user who answers according to the last lines of what is shown, and who is absent if nothing matches. */
class Person {
  readonly asked: Asked[] = [];
  readonly told: string[] = [];
  readonly opened: string[] = [];

  constructor(private readonly answers: readonly (readonly [RegExp, ...string[]])[]) {}

  readonly parts: AnswerParts = {
    server: 'tides',
    report: (line) => this.told.push(line),
    openPage: (address) => Promise.resolve(this.opened.push(address) > 0),
    ask: (question) => {
      this.asked.push(question);
      const found = this.answers.filter(([text]) => text.test(question.question));
      // Asking the same question again yields the next answer.
      const before = this.asked.filter((one) => found[0]?.[0].test(one.question)).length;
      const [, ...texts] = found[Math.min(before, found.length) - 1] ?? [];
      return Promise.resolve(texts.length > 0 ? { kind: 'answered', texts } : { kind: 'nobody' });
    },
  };

  /** Everything that was shown, one question after the other. */
  get shown(): string {
    return this.asked.map(({ question }) => question).join('\n');
  }
}

async function called(
  args: string[],
  tool: string,
  input: object,
  person: Person,
  more: object = {},
  alarm: Alarm = realAlarm,
): Promise<string> {
  const connector = nodeMcpConnector({ env: process.env, fetch, signIns: memorySignIns(), alarm });
  const { signal } = new AbortController();
  const launch = { type: 'stdio', command: process.execPath, args, cwd: repoRoot, env: {} } as const;
  const link = await connector.connect(launch, quiet, signal);
  try {
    await link.listTools(undefined, signal);
    const answer = await link.callTool(
      tool,
      { ...input },
      {
        ...{ signal, timeoutMs: CALL_MS, onProgress: () => undefined },
        onQuestion: (question) => answerServer(question, person.parts),
        ...more,
      },
    );
    return JSON.stringify(answer);
  } finally {
    await link.close();
  }
}

const form = (properties: object, message = 'Who are you?') => ({
  message,
  requestedSchema: { type: 'object', properties, required: Object.keys(properties) },
});
const page = (url: string) => ({ mode: 'url', message: 'Please sign.', url, elicitationId: '1' });

describe('A question from an MCP server', function () {
  this.timeout(60_000);

  it('is answered field by field, asked again when invalid, and sent after a review', async () => {
    const person = new Person([
      [/own name|legal name/, 'Ada Lovelace'],
      [/Agree to the terms/, 'Yes'],
      [/first line/, '-'],
      [/email address \(will/, 'no address'],
      [/email address \(will/, 'ada@example.com'],
      [/Portfolio/, '-'],
      [/date of birth/, '1815-12-10'],
      [/favorite integer/, '101'],
      [/favorite integer/, '7'],
      [/favorite number/i, '-'],
      [/favorite friend/, 'Joey'],
      [/favorite instruments/, 'Piano', 'Bass'],
      [/favorite hero/, 'Green Lantern'],
      [/types of fish/, 'Tuna'],
      [/type of pet/, 'Dogs'],
      [/This goes to/, 'Send'],
      [/Please provide inputs/, 'Answer'],
    ]);
    const told = await called([EVERYTHING, 'stdio'], 'trigger-elicitation-request', {}, person);
    assert.match(told, /Ada Lovelace/, `${person.shown}\n${told}`);
    assert.match(told, /hero-2/);
    assert.match(told, /ada@example\.com/);
    assert.doesNotMatch(told, /no address|101/);
    assert.match(person.shown, /It needs an email address\./);
    assert.match(person.shown, /It needs 100 or less\./);
    assert.ok(person.asked.every(({ server }) => server === 'tides'));
  });

  it('about a page opens it only after the user has seen the whole address and agreed', async () => {
    const url = 'https://example.com/sign?in=1';
    const declines = new Person([[/wants you to open a page on example\.com/, 'Decline']]);
    assert.match(await called([EVERYTHING, 'stdio'], 'trigger-url-elicitation', { url }, declines), /decline/i);
    assert.deepEqual(declines.opened, []);
    assert.ok(declines.shown.includes(url));
    const agrees = new Person([[/wants you to open/, 'Open the page']]);
    await called([EVERYTHING, 'stdio'], 'trigger-url-elicitation', { url }, agrees);
    assert.deepEqual(agrees.opened, [url]);
  });

  it('about a page that could not be opened is cancelled', async () => {
    const person = new Person([[/wants you to open/, 'Open the page']]);
    const parts = { ...person.parts, openPage: () => Promise.resolve(false) };
    assert.deepEqual(await answerServer(page('https://example.com/'), parts), { action: 'cancel' });
  });

  it('is also asked when a call fails for it, and the agent is asked to call again', async () => {
    const input = { url: 'https://example.com/', errorPath: true };
    const agrees = new Person([[/wants you to open/, 'Open the page']]);
    const call = (person: Person) => called([EVERYTHING, 'stdio'], 'trigger-url-elicitation', input, person);
    await assert.rejects(call(agrees), /Call the tool again once they are done\./);
    assert.equal(agrees.opened.length, 1);
    assert.ok(agrees.shown.includes(agrees.opened[0] ?? ''));
    await assert.rejects(call(new Person([[/./, 'Decline']])), /and they did not\./);
  });

  it('about an unsafe page is declined, and the user sees why instead of being asked', async () => {
    for (const url of [
      ...['javascript:alert(1)', 'file:///etc/passwd', 'http://example.com/', 'vscode://x', 'no address'],
      ...['https://bank.example@evil.example/', `https://example.com/${'x'.repeat(3000)}`],
    ]) {
      const person = new Person([[/./, 'Open the page']]);
      assert.deepEqual(await answerServer(page(url), person.parts), { action: 'decline' }, url);
      assert.deepEqual([person.asked, person.opened], [[], []]);
      assert.match(person.told.join(''), /question of the MCP server “tides” was declined: its address/);
    }
  });

  it('shows a host with look-alike letters in its encoded form', async () => {
    const person = new Person([[/./, 'Dismiss']]);
    assert.deepEqual(await answerServer(page('https://раypal.com/'), person.parts), { action: 'cancel' });
    assert.match(person.shown, /page on xn--.*Caution/);
  });

  it('cannot imitate Cairn or hide text, and warns when it asks for a secret', async () => {
    const message = 'Hello.\nCairn: Allow it? \u202egnp.exe';
    const person = new Person([[/./, 'Decline']]);
    const asked = form({ key: { type: 'string', title: 'Your API key' } }, message);
    assert.deepEqual(await answerServer(asked, person.parts), { action: 'decline' });
    assert.match(person.shown, /^The MCP server “tides” has a question, in its own words:\n│ Hello\.\n│ Cairn/);
    assert.match(person.shown, /⟨U\+202E⟩/);
    assert.match(person.shown, /Caution: it seems to ask for a secret/);
  });

  it('is declined with a reason when too large, malformed or unanswered', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`field${at}`, { type: 'string' }]));
    const cases: [unknown, RegExp][] = [
      [form({}, 'x'.repeat(1_000_000)), /1000000 characters/],
      [form(many), /100 fields/],
      [form({ deep: { type: 'object', properties: {} } }), /malformed/],
      [{ mode: 'voice', message: 'Speak.' }, /voice/],
      [7, /malformed/],
      [form({ name: { type: 'string' } }), /nobody answered/],
    ];
    for (const [question, why] of cases) {
      const person = new Person([]);
      assert.deepEqual(await answerServer(question, person.parts), { action: 'decline' });
      assert.match(person.told.join(''), why);
    }
  });

  it('is shown at most ten times per call, and never outside of calls', async () => {
    const person = new Person([[/./, 'Decline']]);
    const told = await called([FAULTY, 'asks'], 'echo', { text: 'x' }, person);
    assert.equal(person.asked.length, 10);
    assert.match(told, /1000 of 1000 were declined, and 1 before the call/);
  });

  it('is asked after the previous one is answered', async () => {
    const person = new Person([[/./, 'Decline']]);
    let [open, most] = [0, 0];
    const onQuestion = async (question: unknown) => {
      most = Math.max(most, ++open);
      // A user takes their time.
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      open--;
      return answerServer(question, person.parts);
    };
    await called([FAULTY, 'asks'], 'echo', { text: 'x' }, person, { onQuestion });
    assert.equal(person.asked.length, 10);
    assert.equal(most, 1);
  });

  it('pauses the timeout of its call until answered', async () => {
    const person = new Person([[/./, 'Decline']]);
    const limits: number[] = [];
    const set = new Set<number>();
    const alarm = (ms: number) => {
      const number = limits.push(ms);
      set.add(number);
      return onDispose(() => set.delete(number));
    };
    const more = {
      timeoutMs: 1500,
      onQuestion: () => {
        assert.deepEqual([limits, set.size], [[1500], 0], 'no time limit runs');
        return Promise.resolve({ action: 'cancel' });
      },
    };
    const answer = await called([FAULTY, 'asks-once'], 'echo', { text: 'x' }, person, more, alarm);
    assert.match(answer, /0 of 1 were declined/);
    assert.equal(limits.length, 2, 'it went on');
    assert.ok((limits[1] ?? 0) <= 1500);
  });
});
