import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { CONTENT_KINDS } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';

/** "ignore" in Unicode tag characters, which have no glyph. */
const TAGS = Array.from('ignore', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');

describe('Invisible text in content', () => {
  it('is a warning with its location in agents, skills and roles', () =>
    withWorld(
      {
        files: {
          '.cairn/agents/guide.md': `---\ndescription: Shows the way\n---\nYou are guide.\nBe kind.${TAGS}\n`,
          '.cairn/agents/known/config.yaml': 'instructions: "a\u202eb"\n',
          '.cairn/skills/knots/SKILL.md': '---\nname: knots\ndescription: Ties\u200bthem\n---\nOver, under.',
          '.cairn/roles/pirate.md': 'Talk like a pirate.\r\nAlways\u2028.\r\n',
          '.cairn/roles/fine.md': 'Schöne Grüße 👩‍👩‍👧 می‌خواهم … “so”\u00a0!\r\n',
        },
      },
      async ({ engine, folder }) => {
        const problems = (await Promise.all(CONTENT_KINDS.map((kind) => engine[kind].problems()))).flat();
        assert.deepEqual(
          problems
            .filter(({ severity }) => severity === 'warning')
            .map(({ path, line, column, message }) => [relative(folder, path), line, column, /⟨.*⟩/.exec(message)?.[0]])
            .sort(),
          [
            ['.cairn/agents/guide.md', 5, 9, '⟨U+E0069 U+E0067 U+E006E U+E006F U+E0072 U+E0065⟩'],
            ['.cairn/agents/known/config.yaml', 1, 17, '⟨U+202E⟩'],
            ['.cairn/roles/pirate.md', 2, 7, '⟨U+2028⟩'],
            ['.cairn/skills/knots/SKILL.md', 3, 18, '⟨U+200B⟩'],
          ],
        );
      },
    ));

  it('is reported in workspace instructions with the file and line', () =>
    withWorld(
      { files: { 'AGENTS.md': `\n\nAnswer in haiku.${TAGS}\n`, 'CLAUDE.md': 'Be kind.' }, story: [{ say: 'Yes.' }] },
      async (world) => {
        const { events } = await world.play('hello');
        const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
        assert.deepEqual(notices, [
          'Line 3 of AGENTS.md contains text that models read but people cannot see: ' +
            '⟨U+E0069 U+E0067 U+E006E U+E006F U+E0072 U+E0065⟩. Check it before you go on.',
        ]);
      },
    ));
});
