import assert from 'node:assert/strict';
import { withWorld } from '../../../support/engineWorld';
import { askedOf } from './leadWorld';
import { agentFile, call, callsThenSays, isOf, says } from './teamStory';

const BOSS = agentFile(
  'boss',
  'mode: primary\npermission:\n  task: allow\nvariables:\n  - name: area\n    description: Where\n    default: src\n  - name: secret\n    description: Not for others\n    default: heron',
);
const task = call('task', { description: 'Look', prompt: 'Look.', subagent_type: 'helper' });
const systemOf = (messages: readonly { text: string }[]) => messages[0]?.text ?? '';

describe('A subagent', () => {
  it('inherits the values of shared variables, before its own defaults (D-19)', () =>
    withWorld(
      {
        files: {
          ...BOSS,
          '.cairn/agents/helper.md':
            '---\nmode: subagent\nvariables:\n  - name: area\n    description: Where\n    default: nowhere\n  - name: depth\n    description: How deep\n    default: "2"\n---\nYou are helper. Look into {{area}}, {{depth}} deep, in {{__cwd__}}. {{secret}}',
        },
        story: [says('helper', { say: 'Seen.' }), task, { say: 'Done.' }],
      },
      async (world) => {
        await world.play('go', { agent: 'boss', variables: { area: 'docs' } });
        const asked = world.server.requests.find((request) => isOf(request, 'helper'));
        const words = systemOf(asked?.messages ?? []).split('\n')[0];
        assert.equal(words, `You are helper. Look into docs, 2 deep, in ${world.folder}. {{secret}}`);
      },
    ));

  it('loads a skill for itself alone, effective with its next request (D-16)', () =>
    withWorld(
      {
        files: {
          ...BOSS,
          ...agentFile('helper', 'mode: subagent\ntools: [fs_read, skill__load]\nenabled_skills: [tides]'),
          '.cairn/skills/tides/SKILL.md': '---\ndescription: Tides\nenabled_tools: fs_ls\n---\nThe tide table.',
        },
        story: [callsThenSays('helper', call('skill__load', { name: 'tides' }), 'Noon.'), task, { say: 'Done.' }],
      },
      async (world) => {
        const { events } = await world.play('go', { agent: 'boss' });
        const [first, second] = askedOf(world.server.requests, 'helper');
        assert.ok(first?.tools.includes('fs_ls'));
        assert.match(second?.lastText ?? '', /The tide table\./);
        const last = world.server.requests.at(-1);
        assert.ok(last && isOf(last, 'boss'));
        assert.doesNotMatch(JSON.stringify(last.body), /The tide table/);
        const loaded = events.find(({ type }) => type === 'skill-loaded');
        assert.deepEqual(loaded?.agentPath, ['boss', 'helper']);
      },
    ));
});
