import assert from 'node:assert/strict';
import * as z from 'zod';
import { checkContent } from '../../../src/engine/content/checkContent';
import { readYaml, yamlReady } from '../../../src/engine/content/yamlSource';

const schema = z.strictObject({
  model: z.exactOptional(z.string()),
  max_depth: z.exactOptional(z.int()),
  variables: z.exactOptional(z.array(z.strictObject({ name: z.string(), default: z.exactOptional(z.string()) }))),
});
const check = (text: string, unknownKeys: 'error' | 'warning' = 'error') =>
  checkContent(readYaml(text, { path: '/a/b.yaml', firstLine: 2 }), schema, { unknownKeys });

describe('The content check', () => {
  before(() => yamlReady('any: text'));

  it('reports an unknown key with its location and a suggestion (D-9)', () => {
    const { value, problems } = check('model: a\nmaxdepth: 3');
    assert.equal(value, undefined);
    assert.deepEqual(problems, [
      {
        ...{ kind: 'schema', severity: 'error', path: '/a/b.yaml', line: 3, column: 1 },
        message: 'Unknown key “maxdepth”. Did you mean “max_depth”?',
        meant: { written: 'maxdepth', instead: 'max_depth' },
      },
    ]);
  });

  it('suggests keys in nested lists too', () => {
    const [problem] = check('variables:\n  - name: a\n    defualt: b').problems;
    assert.equal(problem?.message, 'Unknown key “defualt” in “variables.0”. Did you mean “default”?');
    assert.deepEqual([problem.line, problem.column], [4, 5]);
  });

  it('ignores unknown keys that are only a warning', () => {
    const { value, problems } = check('model: a\nfancy: 3\nvariables:\n  - name: x\n    colour: red', 'warning');
    assert.deepEqual(value, { model: 'a', variables: [{ name: 'x' }] });
    assert.deepEqual(
      problems.map(({ severity, line }) => [severity, line]),
      [
        ['warning', 3],
        ['warning', 6],
      ],
    );
  });

  it('gives the location of an invalid value', () => {
    const [problem] = check('max_depth: deep').problems;
    assert.deepEqual([problem?.line, problem?.column], [2, 12]);
    assert.match(problem?.message ?? '', /^“max_depth”: .*expected number/i);
  });

  it('explains how to quote a text that YAML misreads, in plain language', () => {
    const said = (text: string) => check(text).problems.map(({ message }) => message);
    assert.deepEqual(said('model: 007'), ['“model”: expected string, received number. Put the text in quotes.']);
    assert.deepEqual(said('variables:\n  - name:\n      Explain: it'), [
      '“variables.0.name”: expected string, received a map. Put the text in quotes.',
    ]);
    assert.deepEqual(said('max_depth: 1.5'), ['“max_depth”: must be a whole number.']);
  });

  it('accepts an empty file as an empty value', () => {
    assert.deepEqual(check('').value, {});
  });
});
