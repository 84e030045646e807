import assert from 'node:assert/strict';
import { withWorld } from '../../support/engineWorld';

const FILES = {
  '.cairn/agents/reader.md': '---\ntools: [fs_read, skill__load]\nenabled_skills: [tides]\n---\nYou read.',
  '.cairn/skills/tides/SKILL.md': '---\ndescription: Tides\nenabled_tools: fs_ls\n---\nLook at the table.',
};

describe('A tool that comes with a skill', () => {
  it('is not called before the skill is loaded, which the model is told', () => {
    const list = { call: [{ name: 'fs_ls', arguments: { path: '.cairn' } }] };
    const load = { call: [{ name: 'skill__load', arguments: { name: 'tides' } }] };
    return withWorld({ files: FILES, story: [list, load, list, { say: 'Seen.' }] }, async (world) => {
      const { events } = await world.play('go', { agent: 'reader' });
      const results = events.flatMap((event) => (event.type === 'tool-finished' ? [event.result] : []));
      const locked = /fs_ls comes with the skill tides, which is not loaded\. Load it with skill__load first\./;
      assert.match(results[0]?.text ?? '', locked);
      assert.deepEqual(
        results.map(({ status }) => status),
        ['error', 'ok', 'ok'],
      );
    });
  });
});
