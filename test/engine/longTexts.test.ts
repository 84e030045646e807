import assert from 'node:assert/strict';
import { firstCodeBlock } from '../../src/base/firstCodeBlock';
import { unseenLines } from '../../src/base/shown/safeText';
import { TerminalStream } from '../../src/base/shown/terminalStream';
import { PlainHeaders } from '../../src/base/streams/plainHeaders';
import { hasUnseenParts } from '../../src/chat/unseenParts';
import { fillCommand } from '../../src/engine/commands/expandCommand';
import { foreignModel } from '../../src/engine/content/foreignModel';
import { plainName } from '../../src/engine/content/writtenNames';
import { describedWhole } from '../../src/engine/content/yamlLibrary';
import { changedJson } from '../../src/engine/mcp/changedJson';
import { textAttachment } from '../../src/engine/messages/attachment';
import { hideSecrets } from '../../src/engine/permissions/likelySecrets';
import { argcParts } from '../../src/engine/scripts/argcTags';
import { functionName } from '../../src/engine/scripts/scriptDescription';
import { resolveSecrets } from '../../src/engine/secrets/secretPlaceholders';
import { parsePatch } from '../../src/engine/tools/files/patch/parsePatch';
import { withoutLineNumbers } from '../../src/engine/tools/files/readTextFile';

/** Long enough that a time that grows with the square of it would be minutes. */
const COUNT = 300_000;
const many = (unit: string) => unit.repeat(COUNT);

/** Texts from models, files, servers, and programs, each made to keep a regular expression busy, and what becomes of them. */
const CASES: readonly [what: string, read: () => unknown, expected: unknown][] = [
  ['carriage returns that a command prints', () => new TerminalStream().push(`${many('\r')}x`).endsWith('x'), true],
  ['marks without an end in prose', () => unseenLines(`${many('⟨U+')}\u202e`)[0]?.marks, '⟨U+202E⟩'],
  ['a code block that never ends', () => firstCodeBlock(many('````x\n')).length > COUNT, true],
  ['backticks only', () => firstCodeBlock(many('`')), many('`')],
  ['blanks within the value of a header', () => new PlainHeaders([['a', `b${many(' ')}c`]]).get('a'), `b${many(' ')}c`],
  ['brackets in an answer', () => hasUnseenParts(many('[\n')), false],
  ['links that never close in an answer', () => hasUnseenParts(many('"](')), false],
  ['a long fence in an answer', () => hasUnseenParts(`~~~${many('~')}\``), false],
  ['a title behind a link that closes late', () => hasUnseenParts(`[a](b${many('c')} "d")`), true],
  [
    'inputs that never close in a command',
    () => fillCommand(many('${input:a:b\n'), { args: '', workspace: '/w' }).length,
    12 * COUNT,
  ],
  ['a description of tabs', () => describedWhole(`description: a${many('\t')}b`, true).notes, []],
  ['number signs in the name of a model', () => foreignModel(`${many('#')}\t#`, 'opencode'), null],
  ['dashes within a name', () => plainName(`-a${many('-')}b--`), `a${many('-')}b`],
  ['underscores within a name', () => functionName(`a${many('_')}b`).length <= 100, true],
  [
    'an attached text with empty lines',
    () => JSON.stringify(textAttachment({ kind: 'page', label: 'x' }, 'x', `a${many('\n')}b`)).length > COUNT,
    true,
  ],
  ['names of users in a command', () => hideSecrets(many('-user=-')).length, 7 * COUNT],
  ['a tag of a script', () => argcParts(`# @describe\t${many('\t')}\n`).length, 1],
  [
    'a placeholder without a name',
    () => resolveSecrets(`{{${many(' ')}`, { get: () => Promise.resolve(undefined) }),
    undefined,
  ],
  [
    'the name of a file in a patch',
    () => assert.throws(() => parsePatch(`*** Add File: a${many(' ')}b\n+x\n`)),
    undefined,
  ],
  ['empty lines of a file', () => withoutLineNumbers(`${many('\n')}1→a`), `${many('\n')}a`],
  [
    'blanks behind a member in JSON',
    () => changedJson(`{"a": 1,${many(' ')}"b": 2}`, { a: 1, b: 2 }, { b: 2 }).includes('"b": 2'),
    true,
  ],
];

describe('A long text', () => {
  for (const [what, read, expected] of CASES) {
    it(`is read in linear time: ${what}`, async () => {
      const result = await read();
      if (expected !== undefined) assert.deepEqual(result, expected);
    });
  }
});
