import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentEvent, exportSession } from '../../../src/engine';
import { discreetPorts, KnownSecrets } from '../../../src/engine/secrets/knownSecrets';
import { strikeOf } from '../../../src/engine/secrets/secretScan';
import { nodePorts } from '../../../src/node/nodePorts';
import { type EngineWorld, withWorld, type WorldOptions } from '../../support/engineWorld';

/** Shares no sequence of three characters with any other text in these tests. */
const KEY = 'Zq7/Wx+9Kv=Jy4&Bn2%Rt8-Lp5';
const DROPPED = 'https://hooks.slack.com/services/T0QZ/B0XJ/w8Kq2ZxYv7';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const run = (command: string) => ({ call: [{ name: 'execute_command', arguments: { command } }] });

/** Returns every sequence of eight characters that only a form of the key contains. */
function traces(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const codes = [0, 1, 2].map((before) => {
    const code = Buffer.concat([Buffer.alloc(before, 'p'), bytes, Buffer.from('pp')]).toString('base64');
    return code.slice(4, -8);
  });
  const urls = codes.map((code) => code.replaceAll('+', '-').replaceAll('/', '_'));
  const forms = [secret, encodeURIComponent(secret), bytes.toString('hex'), ...codes, ...urls];
  return forms.flatMap((form) => Array.from({ length: form.length - 7 }, (_, at) => form.slice(at, at + 8)));
}

function assertFree(where: string, text: string, secret = KEY): void {
  for (const trace of traces(secret)) {
    const at = text.indexOf(trace);
    assert.equal(at, -1, `${where}: ${text.slice(Math.max(0, at - 60), at + 60)}`);
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  return all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
}

/** Plays a story and searches for the key in everything that is stored, emitted, or sent. */
async function assertKept(options: WorldOptions, more: (world: EngineWorld, said: string) => unknown, secret = KEY) {
  await withWorld({ key: KEY, acceptedKey: KEY, ...options }, async (world) => {
    const handle = world.run('Go.');
    const events: AgentEvent[] = [];
    handle.subscribe((event) => {
      events.push(event);
      // Releases a command that waits until its first output has arrived.
      if (event.type === 'tool-progress') writeFileSync(join(world.folder, 'go'), '');
    });
    const outcome = await handle.outcome;
    assert.equal(outcome.kind, 'completed', JSON.stringify(outcome));
    const session = await world.engine.sessions.open(world.sessionId);
    assertFree('history', await readFile(join(session.folder, 'history.jsonl'), 'utf8'), secret);
    for (const folder of [session.folder, world.configFolder]) {
      for (const file of await filesBelow(folder)) assertFree(file, await readFile(file, 'utf8'), secret);
    }
    assertFree('events', JSON.stringify(events), secret);
    const live = events.flatMap((one) => (one.type === 'tool-progress' ? [one.chunk] : [])).join('');
    assertFree('live output', live, secret);
    for (const format of ['json', 'markdown'] as const) assertFree(format, exportSession(session, format), secret);
    const sent = JSON.stringify(world.server.requests.map(({ messages }) => messages));
    assertFree('requests', sent, secret);
    assertFree('log', world.warnings.join('\n'), secret);
    await more(world, sent);
  });
}

describe('A known secret', function () {
  this.timeout(60_000);
  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  it('is masked in command output, in any encoding', () => {
    const texts = [
      `raw ${KEY} ~fin`,
      ...['', 'p', 'pp'].map((before) => `base64 ${base64(`${before}${KEY}pp`)} ~fin`),
      ...['', 'p', 'pp'].map((before) => `url ${Buffer.from(`${before}${KEY}pp`).toString('base64url')} ~fin`),
      `address ${encodeURIComponent(KEY)} ~fin`,
      `hex ${Buffer.from(KEY).toString('hex')} ~fin`,
      `broken ${base64(`pp${KEY}pp`).replace(/.{11}/g, '$&\n')} ~fin`,
      `coloured ${KEY.slice(0, 6)}\u001b[31m${KEY.slice(6)}\u001b[0m ~fin`,
    ];
    return assertKept(
      { files: { 'out.txt': texts.join('\n') }, story: [run('cat out.txt'), { say: 'Done.' }] },
      (_, sent) => {
        for (const word of ['raw •••', 'address •••', 'hex •••', 'coloured •••']) assert.ok(sent.includes(word), sent);
        assert.ok((sent.match(/ ~fin/g) ?? []).length >= texts.length, sent);
      },
    );
  });

  it('is masked when it is interrupted by what is removed from an output, also in the file with a long output', () => {
    const escape = '\u001b';
    const between = [
      ...['\0', '\u0007', '\u007f', '\u000f', `${escape}(B`, `${escape}[m${escape}(B`, `${escape}=`],
      ...[`${escape}]8;;https://a.example\u0007`, `${escape}]8;;${escape}\\`, `${escape}]0;title\u0007`],
    ];
    const texts = between.flatMap((one) => [
      `begin ${KEY.slice(0, 5)}${one}${KEY.slice(5)} end`,
      `begin ${KEY.slice(0, 1)}${one}${KEY.slice(1)} end`,
    ]);
    const wide = `begin ${Array.from(KEY).join('\0')} end`;
    const long = Array.from({ length: 4000 }, (_, at) => `line ${at}`);
    const out = [...texts, wide, ...long, ...texts, wide].join('\n');
    return assertKept({ files: { 'out.txt': out }, story: [run('cat out.txt'), { say: 'Done.' }] }, (_, sent) => {
      assert.ok(sent.includes('begin ••• end'), sent);
      assert.ok(sent.includes('The whole output'), sent);
    });
  });

  it('is masked when written byte by byte, in lower or upper case', () => {
    const bytes = Array.from(Buffer.from(KEY), (byte) => byte.toString(16).padStart(2, '0'));
    const pairs = (all: readonly string[]) => all.join('').replace(/(.{4})(?=.)/g, '$1 ');
    const texts = [bytes, bytes.map((byte) => byte.toUpperCase())].flatMap((all) => [
      ...[`%`, '\\x', '\\u00'].map((before) => all.map((byte) => before + byte).join('')),
      all.map((byte) => `&#x${byte};`).join(''),
      all.join(' '),
      all.join(':'),
      all.join(' ').replaceAll(/(.{23}) /g, '$1\n '),
    ]);
    const decimal = bytes.map((byte) => `&#${Number.parseInt(byte, 16)};`).join('');
    const all = [...texts, decimal, pairs(bytes), `${bytes[0]} ${pairs(bytes.slice(1))}`];
    const strike = strikeOf([KEY]);
    for (const text of all) assert.equal(strike(`begin ${text} end`), 'begin ••• end', text);
    const out = all.map((text) => `begin ${text} end`).join('\n');
    return assertKept({ files: { 'out.txt': out }, story: [run('cat out.txt'), { say: 'Done.' }] }, (_, sent) => {
      assert.ok(sent.includes(Array.from(all, () => 'begin ••• end').join('\\n')), sent);
    });
  });

  it('is masked in lists of its characters or bytes, backwards, in CSV and SQL, and in base64 of UTF-16', () => {
    const secret = `kX7'q"Lp4/zW9`;
    const characters = Array.from(secret);
    const bytes = Array.from(Buffer.from(secret));
    const wide = ['', 'p', 'pp'].map((before) => Buffer.from(`${before}${secret}pp`, 'utf16le').toString('base64'));
    const texts = [
      characters.toReversed().join(''),
      characters.join(' '),
      JSON.stringify(characters).slice(2, -2),
      ...[',', ', ', ' '].map((between) => bytes.join(between)),
      ...['"', "'"].map((quote) => secret.replaceAll(quote, quote + quote)),
    ];
    const strike = strikeOf([secret]);
    for (const text of texts) assert.equal(strike(`begin ${text} end`), 'begin ••• end', text);
    for (const text of wide) assert.ok(strike(`begin ${text} end`).includes('•••'), text);
    for (const text of ['kX7 and zW9', '107 88 55', 'q"Lp4', 'k X 7 q L p 4']) assert.equal(strike(text), text);
  });

  it('is masked when it is escaped for another text, even in two pieces', () => {
    const odd = `Zq7/"Wx<9>&Kv'Jy4\\Bn2 é+5`;
    const json = (text: string) => JSON.stringify(text).slice(1, -1);
    const html = odd.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const quoted = html.replaceAll('"', '&quot;');
    const ascii = json(odd).replaceAll('é', '\\u00e9');
    const go = ascii.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');
    const bytes = Buffer.from(odd);
    const forms = [
      ...[json(odd), json(json(odd)), json(odd).replaceAll('/', '\\/'), go, json(go)],
      ...[html, quoted, ...['&#39;', '&#x27;', '&#039;'].map((one) => quoted.replaceAll("'", one))],
      ...[
        html.replaceAll('"', '&#34;').replaceAll("'", '&#39;'),
        odd.replaceAll("'", `'\\''`),
        odd.replaceAll("'", `'"'"'`),
      ],
      ...[
        quoted.replaceAll("'", '&#39;').replaceAll('/', '&#x2F;'),
        quoted.replaceAll("'", '&#39;').replaceAll('+', '&#43;'),
      ],
      `Zq7/\\"Wx\\<9\\>\\&Kv\\'Jy4\\\\Bn2\\ é+5`,
      ...[
        encodeURIComponent(odd),
        encodeURIComponent(encodeURIComponent(odd)),
        new URLSearchParams([['', odd]]).toString().slice(1),
      ],
      ...[bytes.toString('hex'), bytes.toString('hex').toUpperCase(), bytes.toString('base64url')],
    ];
    const secrets = new KnownSecrets({ get: () => Promise.resolve(undefined), hidden: () => [odd] });
    for (const form of forms) {
      const text = `begin ${form} end`;
      const whole = secrets.strike(text);
      assert.match(whole, /^begin •••.? end$/, form);
      for (let cut = 1; cut < text.length; cut++) {
        const stream = secrets.stream();
        assert.equal(stream.push(text.slice(0, cut)) + stream.push(text.slice(cut)) + stream.end(), whole, form);
      }
    }
  });

  it('is masked wherever a color or a line break interrupts it', () => {
    const strike = strikeOf([KEY]);
    const code = base64(KEY).replace(/=+$/, '').slice(0, -1);
    for (const [form, between] of [
      [KEY, '\u001b[31m'],
      [code, '\n'],
      [code, '\r\n'],
      [code, '\u001b[0m\n\u001b[31m'],
    ] as const)
      for (let cut = 1; cut < form.length; cut++) {
        const text = `begin ${form.slice(0, cut)}${between}${form.slice(cut)} end`;
        assertFree(`interrupted after ${cut} by ${JSON.stringify(between)}`, strike(text));
        assert.match(strike(text), /^begin •••.? end$/);
      }
  });

  it('is masked in what is logged, with the place of an error', () => {
    const logged: unknown[][] = [];
    const tell = (...told: unknown[]) => void logged.push(told);
    const { log } = discreetPorts({
      ...nodePorts({ env: {}, ripgrepCandidates: [], watches: false, log: { info: tell, warn: tell, error: tell } }),
      secrets: { get: () => Promise.resolve(undefined), hidden: () => [KEY] },
    });
    const plain = new RangeError('No.');
    const telling = new RangeError(`No ${KEY}.`);
    const placed = new RangeError('No.');
    placed.stack = `RangeError: No.\n    at ${KEY}.js`;
    log.info(`info ${KEY}`);
    log.warn(`warn ${KEY}`);
    for (const error of [`said ${KEY}`, plain, telling, placed, undefined]) log.error(`error ${KEY}`, error);
    const [info, warn, ...errors] = logged;
    assert.deepEqual([info, warn], [['info •••'], ['warn •••']]);
    assert.ok(errors.every(([text]) => text === 'error •••'));
    const [said, same, struck, moved, nothing] = errors.map(([, error]) => error);
    assert.deepEqual([said, nothing], ['said •••', undefined]);
    assert.equal(same, plain);
    for (const [error, from] of [[struck, telling] as const, [moved, placed] as const]) {
      assert.ok(error instanceof Error);
      assert.deepEqual([error.name, error.message], ['RangeError', from.message.replace(KEY, '•••')]);
      assert.equal(error.stack, from.stack?.replaceAll(KEY, '•••'));
    }
  });

  it('is masked when it arrives in two pieces', async () => {
    const [begin, rest] = [KEY.slice(0, 9), KEY.slice(9)];
    const command = `printf '%s' 'first ${begin}'; while [ ! -e go ]; do sleep 0.02; done; printf '%s' '${rest} last'`;
    // Read from a file, so that the call itself does not contain it.
    await assertKept({ files: { 'say.sh': command }, story: [run('sh say.sh'), { say: 'Done.' }] }, (_, sent) => {
      assert.ok(sent.includes('first ••• last'), sent);
    });
  });

  it('is masked in long output and its file', () => {
    const text = Array.from({ length: 3000 }, (_, at) => `line ${at} ${KEY} ${base64(KEY)}`).join('\n');
    return assertKept({ files: { 'out.txt': text }, story: [run('cat out.txt'), { say: 'Done.' }] }, async (world) => {
      const { folder } = await world.engine.sessions.open(world.sessionId);
      const [spool] = await filesBelow(join(folder, 'outputs'));
      assert.match(await readFile(spool ?? '', 'utf8'), /line 1500 •••/);
    });
  });

  it('is masked in the contents of a file, which itself stays unchanged', () =>
    assertKept(
      {
        files: { 'notes.txt': `one ${KEY}\n` },
        story: [{ call: [{ name: 'fs_read', arguments: { path: 'notes.txt' } }] }, { say: 'Done.' }],
      },
      async (world, sent) => {
        assert.ok(sent.includes('one •••'), sent);
        assert.equal(await world.read('notes.txt'), `one ${KEY}\n`);
      },
    ));

  it('is masked in the output of a background command', () => {
    const look = { call: [{ name: 'command__output', arguments: { id: 'bg1', wait_seconds: 30 } }] };
    const start = { call: [{ name: 'execute_command', arguments: { command: 'cat out.txt', background: true } }] };
    return assertKept({ files: { 'out.txt': `late ${KEY}\n` }, story: [start, look, { say: 'Done.' }] }, (_, sent) => {
      assert.ok(sent.includes('late •••'), sent);
    });
  });

  it('is removed from the environment of commands', () =>
    assertKept(
      {
        files: { 'out.txt': `to ${DROPPED}\n` },
        commandEnvironment: { NOTIFY: DROPPED, GNOME_KEYRING_CONTROL: '/run/user/1000/keyring' },
        story: [run('cat out.txt; echo in /run/user/1000/keyring; echo "[$NOTIFY]"'), { say: 'Done.' }],
      },
      (_, sent) => {
        assert.ok(sent.includes('to •••'), sent);
        assert.ok(sent.includes('in /run/user/1000/keyring') && sent.includes('[]'), sent);
      },
      DROPPED,
    ));

  it('is masked in an error from the model vendor', () =>
    withWorld(
      { key: KEY, acceptedKey: KEY, story: [{ fail: { status: 400, body: { error: { message: `No: ${KEY}` } } } }] },
      async (world) => {
        const { outcome, events } = await world.play('Go.');
        assert.equal(outcome.kind, 'failed');
        assertFree('events', JSON.stringify([outcome, events]));
      },
    ));
});

describe('Masking a stream', () => {
  const secrets = () => new KnownSecrets({ get: () => Promise.resolve(undefined), hidden: () => [KEY, 'short'] });

  it('gives the same result as for the whole text, wherever it is split', () => {
    const text = `a ${KEY} b ${base64(`x${KEY}`)} short\nZq7 ${KEY}`;
    const whole = secrets().strike(text);
    assert.equal(whole.startsWith('a ••• b '), true);
    assertFree('whole', whole);
    for (let cut = 0; cut <= text.length; cut++) {
      const stream = secrets().stream();
      assert.equal(stream.push(text.slice(0, cut)) + stream.push(text.slice(cut)) + stream.end(), whole);
    }
    const stream = secrets().stream();
    assert.equal(text.replace(/[^]/g, (one) => stream.push(one)) + stream.end(), whole);
  });

  it('does not hold back a complete line', () => {
    assert.equal(secrets().stream().push('Server ready\n'), 'Server ready\n');
    const line = `${base64(KEY).slice(0, 7)}\n`;
    assert.equal(secrets().stream().push(line), line);
  });

  it('holds back a line that ends in the beginning of an encoded secret', () => {
    const stream = secrets().stream();
    const code = base64(KEY);
    assert.equal(stream.push(`at ${code.slice(0, 8)}\n`), 'at ');
    assertFree('the rest', stream.push(`${code.slice(8)} end`) + stream.end());
  });
});
