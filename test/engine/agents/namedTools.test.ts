import assert from 'node:assert/strict';
import { type WorldOptions, withWorld } from '../../support/engineWorld';

const AGENTS = [
  'coder',
  'code-reviewer',
  'file-reviewer',
  'explore',
  'oracle',
  'report-writer',
  'sisyphus',
  'sql',
  'demo',
];
const NAMES = /\b(?:fs_[a-z]+|(?:todo|user|agent|skill|command|web)__[a-z_]+|execute_command)\b/g;

const SITUATIONS: [string, Partial<WorldOptions>, { workMode?: 'ask' | 'plan' }][] = [
  ['in a trusted folder', {}, {}],
  ['with nobody there', { isNobody: true }, {}],
  ['in an untrusted folder', { scope: () => ({ trusted: false, folders: [] }) }, {}],
  ['in ask mode', {}, { workMode: 'ask' }],
  ['in plan mode', {}, { workMode: 'plan' }],
  ['without skills', { settings: { skills: { enabled: false } } }, {}],
];

describe('The prompt and the tools of an agent that comes with Cairn', () => {
  for (const [what, options, request] of SITUATIONS) {
    it(`name no tool that it cannot call ${what}`, () =>
      withWorld({ ...options, story: AGENTS.map(() => ({ say: 'Yes.' })) }, async (world) => {
        for (const agent of AGENTS) {
          await world.play('hello', { agent, ...request });
          const sent = world.server.requests.at(-1);
          assert.ok(sent);
          const named = new Set(JSON.stringify(sent.body).match(NAMES));
          assert.deepEqual([agent, ...[...named].filter((name) => !sent.tools.includes(name))], [agent]);
        }
      }));
  }
});
