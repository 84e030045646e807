import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import {
  type ApprovalAnswer,
  type ApprovalHandler,
  createEngine,
  type Engine,
  type LibraryOptions,
  startRun,
  type UserPrompter,
} from '../../src/library';
import { type EngineWorld, withWorld } from '../support/engineWorld';
import type { StepCall } from '../support/modelServer/story';

const write = { name: 'fs_write', arguments: { path: 'a.txt', contents: 'a\n' } };
const question = { name: 'user__input', arguments: { question: 'Which colour?' } };

/** An engine as a program creates it, whose model makes one call and repeats its result. */
function withProgram(
  call: StepCall,
  options: LibraryOptions,
  use: (place: EngineWorld & { program: Engine; answer: () => Promise<string>; logged: string[] }) => Promise<void>,
): Promise<void> {
  return withWorld({ story: [{ call: [call] }, ({ lastText }) => ({ say: lastText })] }, async (world) => {
    const logged: string[] = [];
    const tell = (text: string) => void logged.push(text);
    const program = createEngine({
      workspace: world.folder,
      configFolder: join(world.folder, 'own'),
      env: { OPENAI_BASE_URL: world.server.url, OPENAI_API_KEY: 'test-key' },
      log: { info: () => undefined, warn: tell, error: tell },
      ...options,
    });
    program.registerAgent({ name: 'acme', description: 'Does what it is told', prompt: 'You do what you are told.' });
    const answer = async () => {
      const asked = { input: 'Go.', agent: 'acme', workspace: world.folder, model: 'openai:test-model' };
      const outcome = await (await startRun(program, asked)).outcome;
      return 'answer' in outcome ? outcome.answer : JSON.stringify(outcome);
    };
    try {
      await use({ ...world, program, answer, logged });
    } finally {
      await program.shutDown();
    }
  });
}

const shown = (value: unknown) => (value === undefined ? 'undefined' : JSON.stringify(value));
/** As passed by a program whose types were not checked. */
const anyAnswer = (value: unknown) => z.custom<ApprovalAnswer>(() => true).parse(value);

describe('A program’s approval answer', () => {
  const none: readonly unknown[] = [
    false,
    true,
    undefined,
    {},
    { kind: 'deny' },
    { kind: 'yes' },
    'once',
    { kind: 'always' },
  ];
  for (const value of none) {
    it(`allows nothing if it is ${shown(value)}, and the failure is reported`, () => {
      const approvals: ApprovalHandler = { ask: () => Promise.resolve(anyAnswer(value)) };
      return withProgram(write, { approvals }, async ({ answer, folder, logged }) => {
        assert.match(await answer(), /The approval handler of the program failed: its answer/);
        assert.equal(existsSync(join(folder, 'a.txt')), false);
        assert.match(logged.join('\n'), /approval handler/);
      });
    });
  }

  it('adds no rule that the request did not offer', () => {
    const offer = { scope: 'user' as const, rules: [{ tool: '*', action: 'allow' as const }], label: 'all' };
    const approvals: ApprovalHandler = { ask: () => Promise.resolve({ kind: 'always', offer }) };
    return withProgram(write, { approvals }, async ({ answer, folder }) => {
      assert.match(await answer(), /none of the request’s offers/);
      assert.equal(existsSync(join(folder, 'a.txt')), false);
      assert.equal(existsSync(join(folder, 'own', 'permissions.json')), false);
    });
  });

  it('allows with an offer of the request, and with its own text', () => {
    const approvals: ApprovalHandler = {
      ask: (request) => {
        const offer = request.offers[0] ?? assert.fail('no offer');
        return Promise.resolve({ kind: 'always', offer: structuredClone(offer), contents: 'b\n' });
      },
    };
    return withProgram(write, { approvals }, async ({ answer, folder, logged }) => {
      assert.match(await answer(), /a\.txt/);
      assert.equal(existsSync(join(folder, 'a.txt')), true);
      assert.deepEqual(logged, []);
    });
  });

  it('counts as a rejection when the handler throws, not as a tool crash', () => {
    const approvals: ApprovalHandler = { ask: () => Promise.reject(new Error('the desk is closed')) };
    return withProgram(write, { approvals }, async ({ answer }) => {
      const said = await answer();
      assert.match(said, /the desk is closed/);
      assert.doesNotMatch(said, /crashed/);
    });
  });
});

describe('A program’s answer to a question', () => {
  for (const value of [undefined, 'green', { kind: 'answered', text: 'green' }]) {
    it(`is reported as invalid when it is ${shown(value)}`, () => {
      const prompter: UserPrompter = {
        ask: () => Promise.resolve(z.custom<{ kind: 'nobody' }>(() => true).parse(value)),
      };
      return withProgram(question, { prompter }, async ({ answer }) => {
        const said = await answer();
        assert.match(said, /The prompter of the program failed: its answer is not valid/);
        assert.doesNotMatch(said, /crashed/);
      });
    });
  }

  it('is no longer awaited once the run is cancelled', () => {
    let cancel: () => void = () => assert.fail('no run');
    const never = { ask: () => new Promise<never>(() => cancel()) };
    return withProgram(question, { prompter: never, approvals: never }, async ({ answer, program }) => {
      cancel = () => setImmediate(() => program.runs()[0]?.cancel());
      assert.match(await answer(), /cancelled/);
    });
  });
});
