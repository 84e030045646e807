import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ownFile, repositoryFile } from '../../src/engine/permissions/permissionFile';
import { repoRoot } from '../editor/repoRoot';

/** What the editor checks while the person writes, and what Cairn takes: file in assets/schemas → schema. */
const SCHEMAS = {
  'permissions.json': { title: 'Permission rules of Cairn', schema: ownFile },
  'repositoryPermissions.json': { title: 'Permission rules that a repository adds to Cairn', schema: repositoryFile },
};

const manifestSchema = z.object({
  contributes: z.object({ jsonValidation: z.array(z.object({ fileMatch: z.array(z.string()), url: z.string() })) }),
});

describe('the schemas for the editor', () => {
  for (const [name, { title, schema }] of Object.entries(SCHEMAS)) {
    it(`${name} says what Cairn takes (CAIRN_WRITE_SCHEMAS=1 writes it again)`, () => {
      const file = join(repoRoot, 'assets', 'schemas', name);
      const text = `${JSON.stringify({ title, ...z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }) }, null, 2)}\n`;
      if (process.env['CAIRN_WRITE_SCHEMAS']) writeFileSync(file, text);
      assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(text));
    });
  }

  it('are those that the manifest names', () => {
    const { contributes } = manifestSchema.parse(JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')));
    const named = contributes.jsonValidation.map(({ url }) => url.replace('./assets/schemas/', ''));
    assert.deepEqual(named.sort(), Object.keys(SCHEMAS).sort());
  });
});
