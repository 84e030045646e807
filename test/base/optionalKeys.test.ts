import assert from 'node:assert/strict';
import { exactOptional } from 'zod/mini';
import * as z from '../../src/base/zod';

const inner = z.union([z.string(), z.array(z.int())]);
const ours = z.strictObject({ key: z.exactOptional(inner), other: z.exactOptional(z.unknown()) });
const libraryOwn = z.strictObject({ key: exactOptional(inner), other: exactOptional(z.unknown()) });

describe('An optional key', () => {
  it('may be absent', () => {
    assert.deepEqual(ours.parse({}), {});
    assert.deepEqual(ours.parse({ other: 1 }), { other: 1 });
  });

  it('is rejected with the message of the library if it is undefined', () => {
    const problem = (schema: typeof ours) => schema.safeParse({ key: undefined }).error?.issues;
    assert.equal(problem(ours)?.length, 1);
    assert.deepEqual(problem(ours), problem(libraryOwn));
  });

  it('may be undefined if its schema accepts that', () => {
    assert.deepEqual(ours.parse({ other: undefined }), libraryOwn.parse({ other: undefined }));
  });

  it('is rejected with the message of the library if its value is wrong', () => {
    const problem = (schema: typeof ours) => schema.safeParse({ key: [1, 'a'] }).error?.issues;
    assert.deepEqual(problem(ours)?.[0]?.path, ['key']);
    assert.deepEqual(problem(ours), problem(libraryOwn));
  });
});
