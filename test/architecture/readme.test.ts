import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'src/README.md', 'test/README.md', 'src/library/README.md'];

describe('The documentation', () => {
  for (const document of DOCUMENTS) {
    it(`in ${document} refers only to files and folders that exist`, () => {
      const text = readFileSync(join(repoRoot, document), 'utf8');
      const named = [...text.matchAll(/`((?:src|webview|test|assets|media)\/[\w./-]*)`/g)].map(
        (match) => match[1] ?? '',
      );
      assert.ok(document === 'README.md' || named.length > 0, 'it names no file at all');
      assert.deepEqual(
        named.filter((path) => !existsSync(join(repoRoot, path))),
        [],
      );
    });

    it(`in ${document} links only to files that exist`, () => {
      const text = readFileSync(join(repoRoot, document), 'utf8');
      const links = [...text.matchAll(/\]\((?!https?:|#|command:)([^)#]+)/g)].map((match) => match[1] ?? '');
      const folder = document.includes('/') ? join(repoRoot, document, '..') : repoRoot;
      assert.deepEqual(
        links.filter((link) => !existsSync(join(folder, link))),
        [],
      );
    });
  }

  it('refers only to npm scripts that exist', () => {
    const scripts: unknown = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8'));
    const known = JSON.stringify(scripts);
    for (const document of DOCUMENTS) {
      const text = readFileSync(join(repoRoot, document), 'utf8');
      for (const match of text.matchAll(/npm run ([\w:-]+)/g)) {
        assert.ok(known.includes(`"${match[1] ?? ''}":`), `${document}: npm run ${match[1] ?? ''}`);
      }
    }
  });

  it('in README.md has alt text for every picture and no oversized ones', () => {
    const text = readFileSync(join(repoRoot, 'README.md'), 'utf8');
    const pictures = [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)];
    assert.ok(
      pictures.some(([, , file = '']) => file.endsWith('.gif')),
      'it has no moving picture',
    );
    for (const [, description = '', file = ''] of pictures) {
      assert.ok(description.length > 20, `${file}: what is in it?`);
      const { size } = statSync(join(repoRoot, file));
      assert.ok(size <= 3 * 1024 * 1024, `${file} has ${size} bytes`);
    }
  });
});
