import { type Schema, Validator } from '@cfworker/json-schema';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { ownFile, repositoryFile } from '../../src/engine/permissions/permissionFile';
import { repoRoot } from '../editor/repoRoot';
import { graphJsonSchema } from '../tasks/graphSchema';

/** File in assets/schemas, which editors validate against while the user types → the schema that Cairn itself accepts. */
const SCHEMAS = {
  'permissions.json': () => draft7('Permission rules of Cairn', ownFile),
  'repositoryPermissions.json': () => draft7('Permission rules that a repository adds to Cairn', repositoryFile),
  'graph.json': graphJsonSchema,
};

const validations = z.array(z.object({ url: z.string() }));
const manifestSchema = z.object({
  contributes: z.object({ jsonValidation: validations, yamlValidation: validations }),
});

function draft7(title: string, schema: z.core.$ZodType): object {
  return { title, ...z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }) };
}

describe('The JSON schemas for editors', () => {
  for (const [name, make] of Object.entries(SCHEMAS)) {
    it(`${name} matches what Cairn accepts (CAIRN_WRITE_SCHEMAS=1 rewrites it)`, () => {
      const file = join(repoRoot, 'assets', 'schemas', name);
      const text = `${JSON.stringify(make(), null, 2)}\n`;
      if (process.env['CAIRN_WRITE_SCHEMAS']) writeFileSync(file, text);
      assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(text));
    });
  }

  it('are the ones that the manifest lists', () => {
    const { contributes } = manifestSchema.parse(JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')));
    const all = [...contributes.jsonValidation, ...contributes.yamlValidation];
    const named = all.map(({ url }) => url.replace('./assets/schemas/', ''));
    assert.deepEqual(named.sort(), Object.keys(SCHEMAS).sort());
  });
});

describe('The graph schema for other editors', () => {
  const schema: Schema = { ...z.record(z.string(), z.unknown()).parse(JSON.parse(JSON.stringify(graphJsonSchema()))) };
  const validator = new Validator(schema, '7', false);
  const problems = (graph: unknown) => validator.validate(graph).errors.map(({ instanceLocation }) => instanceLocation);

  const agents = join(repoRoot, 'assets', 'agents');
  const files = readdirSync(agents, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));

  it('has bundled graphs to check against', () => {
    assert.ok(files.length > 0);
  });

  for (const file of files) {
    it(`accepts ${file}`, () => {
      assert.deepEqual(problems(parse(readFileSync(join(agents, file), 'utf8'))), []);
    });
  }

  const end = { type: 'end', output: 'Done' };
  const graph = (nodes: object, more: object = {}) => ({ name: 'g', start: 'a', nodes, ...more });
  for (const [what, written, place] of [
    ['a key that the node type does not have', graph({ a: { ...end, prompt: 'Hi' } }), '#/nodes/a'],
    ['an unknown node type', graph({ a: { type: 'lmm' } }), '#/nodes/a/type'],
    ['a node without a required key', graph({ a: { type: 'llm' } }), '#/nodes/a'],
    ['a value of the wrong type', graph({ a: { ...end, max_visits: 'often' } }), '#/nodes/a/max_visits'],
    ['an unknown version', graph({ a: end }, { version: '9' }), '#/version'],
    ['an unknown key of the graph', graph({ a: end }, { nodez: {} }), '#'],
  ] as const) {
    it(`reports the location of ${what}`, () => {
      assert.ok(problems(written).includes(place), String(problems(written)));
    });
  }

  it('accepts either form of a version, and empty keys', () => {
    for (const version of ['1.0', '1.1', 1, 1.1]) assert.deepEqual(problems(graph({ a: end }, { version })), []);
    assert.deepEqual(problems(graph({ a: { ...end, next: null } }, { model: null, initial_state: null })), []);
  });
});
