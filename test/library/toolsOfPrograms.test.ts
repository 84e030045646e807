import assert from 'node:assert/strict';
import * as z from 'zod';
import type { PluginTool } from '../../src/library';
import { type EngineWorld, withWorld } from '../support/engineWorld';

/** As passed by a program whose types were not checked. */
const anything = (value: unknown) => z.custom<never>(() => true).parse(value);

describe('A program tool that does not report what it touches', () => {
  const secret = (permission: unknown): PluginTool => ({
    name: 'acme_read',
    description: 'Reads',
    category: 'read',
    inputSchema: { type: 'object' },
    permission: anything(permission),
    run: () => Promise.resolve('the secret'),
  });
  const said = { paths: ['.env'] };
  const misfits: [string, () => unknown, RegExp][] = [
    ['returns a promise', () => Promise.resolve(said), /returned a promise/],
    ['returns a promise that rejects', () => Promise.reject(new Error('no')), /returned a promise/],
    ['returns an unknown field', () => ({ path: '.env' }), /path/],
    ['returns a string instead of a list', () => ({ paths: '.env' }), /paths/],
  ];
  for (const [what, permission, names] of misfits) {
    it(`is not called when its permission ${what}`, () =>
      withWorld(
        {
          story: [
            { call: [{ name: 'acme_read', arguments: {} }] },
            ({ lastText }: { lastText: string }) => ({ say: lastText }),
          ],
        },
        async (world: EngineWorld) => {
          world.engine.registerTool(secret(permission));
          const { outcome } = await world.play('go');
          const answer = 'answer' in outcome ? outcome.answer : '';
          assert.match(answer, names);
          assert.doesNotMatch(answer, /the secret/);
        },
      ));
  }
});

describe('A program tool with an invalid result', () => {
  const misfits: [string, unknown, RegExp][] = [
    ['a number', 5, /is not valid/],
    ['a text that is not a string', { text: 5 }, /text/],
    ['an invalid image', { text: 'x', images: [{ path: 'a.png' }] }, /images/],
    ['an unknown kind of detail', { text: 'x', detail: { kind: 'boss' } }, /detail/],
  ];
  for (const [what, given, names] of misfits) {
    it(`fails with ${what}, and the session stays readable`, () =>
      withWorld(
        {
          story: [
            { call: [{ name: 'acme_odd', arguments: {} }] },
            ({ lastText }: { lastText: string }) => ({ say: lastText }),
          ],
        },
        async (world) => {
          world.engine.registerTool({
            ...{ name: 'acme_odd', description: 'Gives', category: 'read', inputSchema: { type: 'object' } },
            run: () => Promise.resolve(anything(given)),
          });
          const { outcome } = await world.play('go');
          assert.match('answer' in outcome ? outcome.answer : JSON.stringify(outcome), names);
          const { engine, warnings } = await world.restart();
          assert.equal((await engine.sessions.open(world.sessionId)).messages.length, 4);
          assert.deepEqual(
            warnings.filter((text) => /left out/.test(text)),
            [],
          );
        },
      ));
  }
});
