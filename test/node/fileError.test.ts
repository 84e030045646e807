import assert from 'node:assert/strict';
import { fileError } from '../../src/node/fileError';

describe('A file error', () => {
  for (const [code, message] of [
    ['ENOENT', /^\/a\/b does not exist\.$/],
    ['EACCES', /check its permissions/],
    ['EROFS', /read-only file system/],
    ['ENOSPC', /the disk is full\. Free some space/],
    ['EDQUOT', /quota.*Free some space/],
    ['EFBIG', /ulimit/],
    ['EBUSY', /in use by another program; close it there/],
    ['EMFILE', /too many files are open/],
    ['EWHATEVER', /^\/a\/b could not be used: EWHATEVER: words of the system$/],
  ] as const) {
    it(`(${code}) is reported with what to do about it`, () => {
      const error = Object.assign(new Error(`${code}: words of the system`), { code });
      const told = fileError(error, '/a/b');
      assert.match(told.message, message);
      assert.match(told.message, /^\/a\/b /);
      assert.equal(told.cause, error);
    });
  }
});
