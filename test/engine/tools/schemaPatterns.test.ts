import { validate } from '@cfworker/json-schema';
import assert from 'node:assert/strict';
import { schemaMistakes } from '../../../src/engine/tools/schemaMistakes';

const PATTERN = { pattern: '^a+b?$' };
const BY_NAME = {
  patternProperties: { '^n_': { type: 'number' }, _s$: { type: 'string' } },
  properties: { n_own: { minimum: 3 }, pattern: { type: 'string' } },
  additionalProperties: false,
};
const VALUES: readonly unknown[] = [
  ...['aab', 'aabb', '', 3, null, ['a']],
  ...[{ n_x: 1 }, { n_x: 'a' }, { n_own: 2 }, { n_own: 3 }, { x_s: 'a' }, { n_s: 'a' }, { n_s: 1 }],
  ...[{ pattern: 'x' }, { pattern: 1 }, { other: 1 }, { list: [{ n_x: 'a' }] }, { date: '2026-11-28' }],
];
const SCHEMAS: readonly Readonly<Record<string, unknown>>[] = [
  PATTERN,
  BY_NAME,
  { anyOf: [PATTERN, BY_NAME] },
  { not: PATTERN },
  { properties: { list: { items: BY_NAME } } },
  { propertyNames: { pattern: '^[a-z]+$' } },
  { $defs: { one: PATTERN }, items: { $ref: '#/$defs/one' } },
  { ...PATTERN, format: 'date', allOf: [{ minLength: 1 }] },
  { properties: { date: { pattern: '^2', format: 'date' } } },
  { ...BY_NAME, additionalProperties: true, unevaluatedProperties: false },
  { enum: [{ pattern: 'x' }] },
];

describe('The patterns of a JSON Schema', () => {
  it('match what the validator matches by itself', () => {
    for (const schema of SCHEMAS)
      for (const value of VALUES)
        assert.equal(
          schemaMistakes(value, schema).length === 0,
          validate(value, structuredClone<object>(schema), '2020-12').valid,
          `${JSON.stringify(schema)} ${JSON.stringify(value)}`,
        );
  });

  it('are named in mistakes', () => {
    const schema = { properties: { id: PATTERN } };
    assert.deepEqual(schemaMistakes({ id: 'x' }, schema), ['“id”: String does not match pattern "^a+b?$".']);
  });

  it('are matched in bounded time', () => {
    const text = `${'a'.repeat(40)}!`;
    // The language itself would take years for the first two, and the validator’s own expression for the last.
    assert.equal(schemaMistakes(text, { pattern: '(a+)+$' }).length, 1);
    assert.equal(schemaMistakes({ [text]: 1 }, { patternProperties: { '^(a|a)*$': false } }).length, 0);
    assert.equal(schemaMistakes(`ftp://192.168.2.04${'8172.30.3.453'.repeat(27)}\0`, { format: 'url' }).length, 1);
  });

  it('cannot be used if they refer back, which is reported', () => {
    assert.throws(
      () => schemaMistakes('aa', { pattern: '(a)\\1' }),
      /^Error: The pattern “\(a\)\\1” cannot be used. It refers back to a group/,
    );
    assert.throws(
      () => schemaMistakes({ a: 1 }, { patternProperties: { '(': {} } }),
      /“\(” is not a regular expression/,
    );
  });
});
