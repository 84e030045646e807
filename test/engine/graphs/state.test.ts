import assert from 'node:assert/strict';
import {
  answerProblem,
  type JsonValue,
  parseAnswerCheck,
  type Reducer,
  REDUCERS,
} from '../../../src/engine/graphs/graph';
import { applyWrites, reduce, scopeWith, writesOf } from '../../../src/engine/graphs/graphState';
import { updatesOf } from '../../../src/engine/graphs/nodes/nodeRoom';
import {
  parseTemplate,
  renderLenient,
  renderRaw,
  renderStrict,
  renderTyped,
} from '../../../src/engine/graphs/template';
import { seededRandom } from '../../support/seededRandom';
import { graphOf } from './graphText';

const STATE = new Map<string, JsonValue>(
  Object.entries({ name: 'Ada', count: 3, nothing: null, users: [{ name: 'Bo', tags: [['x', 'y']] }], on: true }),
);

function picked<T>(from: readonly T[], random: () => number): T {
  const found = from[Math.floor(random() * from.length)];
  assert.ok(found !== undefined);
  return found;
}

const strict = (text: string) => renderStrict(parseTemplate(text, '1.0'), STATE);

describe('Graph templates', () => {
  it('render values as the original does', () => {
    assert.equal(
      strict('{{name}} {{count}} {{on}} {{nothing}} {{users}}'),
      'Ada 3 true null [{"name":"Bo","tags":[["x","y"]]}]',
    );
    assert.equal(strict('{{users[0].name}} {{users[0].tags[0][1]}}'), 'Bo y');
  });

  it('leave text that is not a reference unchanged', () => {
    for (const text of ['{{ name }}', '{name}', '{{a-b}}', '{{}}', '{{name:-x}}', '{{na me}}'])
      assert.equal(strict(text), text);
  });

  it('report everything missing at once', () => {
    assert.throws(() => strict('{{a}} {{users.0}} {{users[1].name}} {{a}}'), {
      message:
        'The state has no value for {{a}}, {{users.0}}, {{users[1].name}}. Write it with an earlier node, or in initial_state.',
    });
    assert.equal(renderLenient(parseTemplate('<{{a}}>', '1.0'), STATE), '<>');
  });

  it('find only what the state defines', () => {
    for (const text of [
      '{{constructor}}',
      '{{users.length}}',
      '{{name.length}}',
      '{{users[0].__proto__}}',
      '{{toString}}',
    ])
      assert.throws(() => strict(text), /The state has no value/);
  });

  it('never expand references in values (D-11)', () => {
    const state = new Map<string, JsonValue>([
      ['a', '{{b}} $& $1'],
      ['b', 'secret'],
    ]);
    assert.equal(renderStrict(parseTemplate('{{a}}/{{b}}', '1.0'), state), '{{b}} $& $1/secret');
  });

  it('keep the type of a single reference', () => {
    assert.deepEqual(renderTyped(parseTemplate('{{users}}', '1.0'), STATE), STATE.get('users'));
    assert.equal(renderTyped(parseTemplate('n {{count}}', '1.0'), STATE), 'n 3');
    assert.equal(renderTyped(parseTemplate('{{gone}}', '1.0'), STATE), undefined);
    assert.deepEqual(renderRaw(parseTemplate(' {{users}}\n', '1.0'), STATE), STATE.get('users'));
    assert.throws(() => renderRaw(parseTemplate('{{gone}}', '1.0'), STATE), /no value for \{\{gone\}\}/);
  });

  it('support defaults in version 1.1', () => {
    const render = (text: string) => renderStrict(parseTemplate(text, '1.1'), STATE);
    assert.equal(render('{{gone:-some one}} {{name:-x}} {{gone:-}}!'), 'some one Ada !');
  });

  it('support defaults with braces, and end them before surplus braces', () => {
    const render = (text: string) => renderStrict(parseTemplate(text, '1.1'), STATE);
    assert.equal(render('{{gone:-{}}} {{name:-{}}} {{gone:-{"a":{"b":1}}}}'), '{} Ada {"a":{"b":1}}');
    assert.equal(render('{"k":{{count:-1}}} {"k":{{gone:-1}}}'), '{"k":3} {"k":1}');
    assert.equal(render('{{gone:-{}} and {{name}} }}'), '{ and Ada }}');
    assert.equal(render('{{gone:-{{name}}}}!'), '{{name}}!');
    assert.equal(render('{{gone:- {{name'), '{{gone:- {{name');
    assert.deepEqual(renderTyped(parseTemplate('{{users:-[{}]}}', '1.1'), STATE), STATE.get('users'));
  });

  it('render any text without references unchanged', () => {
    const random = seededRandom(20261124);
    const marks = ['{', '}', '{{', '}}', ' ', 'a', '\n', '$', '\\', '.', '[', ']', '-', ':', 'ä', '🙂'];
    for (let count = 0; count < 2000; count++) {
      const text = Array.from({ length: Math.floor(random() * 12) }, () => picked(marks, random)).join('');
      const template = parseTemplate(text, '1.0');
      if (template.pieces.some((piece) => typeof piece !== 'string')) continue;
      assert.equal(renderStrict(template, STATE), text);
    }
  });
});

describe('Reducers', () => {
  const cases: [Reducer, JsonValue | undefined, JsonValue, JsonValue][] = [
    ['append', undefined, [1], [[1]]],
    ['append', [1], 2, [1, 2]],
    ['extend', undefined, [1], [1]],
    ['extend', [1], [2, 3], [1, 2, 3]],
    ['concat', '', 'a', 'a'],
    ['concat', 'a', 'b', 'a\nb'],
    ['concat', 'a', 3, 'a\n3'],
    ['sum', 10, 10, 20],
    ['sum', 1, '2', 3],
    ['max', 1, 2, 2],
    ['min', 1, 2, 1],
    ['merge', { a: 1, b: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ['overwrite', [1], null, null],
  ];
  for (const [reducer, current, written, wanted] of cases) {
    it(`apply ${reducer} to ${JSON.stringify(current)} and ${JSON.stringify(written)}`, () => {
      assert.deepEqual(reduce(reducer, current, written), wanted);
    });
  }

  it('report which side has an invalid type', () => {
    assert.throws(() => reduce('append', 'a', 1), {
      message: 'The reducer “append” needs a list, but the current value is a string.',
    });
    assert.throws(() => reduce('sum', 1, 'two'), /needs a number, but the written value is a string/);
    assert.throws(() => reduce('merge', null, {}), /the current value is null/);
    assert.throws(() => reduce('concat', ['a'], 'b'), /“concat” needs a string, but the current value is a list/);
    assert.throws(() => reduce('sum', 1e308, 1e308), {
      message: 'The reducer “sum” needs numbers whose sum is finite, but the written value is a number.',
    });
  });

  it('do not modify their inputs', () => {
    const random = seededRandom(7);
    const values: JsonValue[] = [[1, [2]], { a: 1 }, 'text', 4, null, true, [], {}];
    for (let count = 0; count < 500; count++) {
      const [current, written] = [picked(values, random), picked(values, random)];
      const before = JSON.stringify([current, written]);
      try {
        reduce(picked(REDUCERS, random), current, written);
      } catch (error) {
        assert.match(String(error), /^ReducerMismatch: /);
      }
      assert.equal(JSON.stringify([current, written]), before);
    }
  });
});

describe('The writes of a step', () => {
  const reducers = new Map([['sum', 'sum']] as const);

  it('count even when they equal the current value (D-4)', () => {
    const state = new Map<string, JsonValue>([['sum', 10]]);
    const written = ['b', 'a'].map((node) => ({ node, writes: [{ key: 'sum', value: 10 }] }));
    assert.equal(applyWrites(state, written, { reducers }).get('sum'), 30);
    assert.equal(state.get('sum'), 10);
  });

  it('conflict when two nodes write the same key without a reducer', () => {
    const written = ['two', 'one'].map((node) => ({ node, writes: [{ key: 'x', value: node }] }));
    assert.throws(() => applyWrites(new Map(), written, { reducers }), {
      message:
        'one and two wrote to “x” at the same time. Give the key a reducer, or have each node write its own key.',
    });
  });

  it('are reported with their node and key when a reducer rejects them', () => {
    const written = [{ node: 'a', writes: [{ key: 'sum', value: 'many' }] }];
    assert.throws(() => applyWrites(new Map(), written, { reducers }), {
      message:
        'What “a” wrote to “sum” is not valid. The reducer “sum” needs a number, but the written value is a string.',
    });
  });

  it('of one node are applied in order', () => {
    const writes = [1, 2].map((value) => ({ key: 'x', value }));
    assert.equal(applyWrites(new Map(), [{ node: 'a', writes }], { reducers }).get('x'), 2);
  });

  it('of a script that returns the whole state are limited to its changes (D-13)', () => {
    const state = new Map<string, JsonValue>([
      ['sum', 10],
      ['initial_prompt', 'p'],
    ]);
    assert.deepEqual(writesOf({ initial_prompt: 'p', sum: 10, more: 1 }, state), [{ key: 'more', value: 1 }]);
    assert.deepEqual(writesOf({ sum: 10 }, state), [{ key: 'sum', value: 10 }]);
  });

  it('resolve names of their own node first', () => {
    assert.equal(scopeWith(STATE, { name: 'Eve' }).get('name'), 'Eve');
    assert.equal(scopeWith(STATE, {}).get('constructor'), undefined);
  });
});

describe('The validation of an answer', () => {
  it('counts characters, not bytes (D-10)', () => {
    const check = parseAnswerCheck(' len(input) <= 3 ');
    assert.ok(check);
    assert.equal(answerProblem(check, 'äö🙂'), undefined);
    assert.equal(answerProblem(check, 'abcd'), 'The answer must have at most 3 characters; it has 4.');
    assert.equal(parseAnswerCheck('len(input) != 3'), undefined);
  });
});

describe('A state that doubles with each node', () => {
  const TOO_LARGE = { message: /would be larger than 32 MB\. Keep less in the state/ };
  const MEGA = 'x'.repeat(1024 * 1024);
  const mega = new Map<string, JsonValue>([['s', MEGA]]);

  it('is rejected before its text or its writes fill the memory', async () => {
    assert.equal(renderStrict(parseTemplate('{{s}}'.repeat(31), '1.0'), mega).length, 31 * 1024 * 1024);
    for (const render of [renderStrict, renderLenient, renderTyped, renderRaw])
      assert.throws(() => render(parseTemplate('{{s}}'.repeat(33), '1.0'), mega), TOO_LARGE);
    const updates = Array.from({ length: 33 }, (_, index) => `k${index}: "{{s}}"`).join(', ');
    const graph = await graphOf(`name: a\nstart: a\nnodes:\n  a: { type: end, state_updates: { ${updates} } }\n`);
    const node = graph.nodes.get('a');
    assert.ok(node);
    assert.throws(() => updatesOf(node, mega, {}, graph), TOO_LARGE);
  });

  it('is rejected with every reducer that adds to what is there', () => {
    for (const reducer of ['append', 'extend', 'concat'] as const) {
      const reducers = new Map([['l', reducer]]);
      let state = new Map<string, JsonValue>([['l', reducer === 'concat' ? MEGA : [MEGA]]]);
      const double = () => {
        const writes = [{ key: 'l', value: state.get('l') ?? null }];
        state = new Map(applyWrites(state, [{ node: 'a', writes }], { reducers }));
      };
      assert.throws(() => {
        for (let time = 0; time < 8; time++) double();
      }, TOO_LARGE);
    }
  });
});
