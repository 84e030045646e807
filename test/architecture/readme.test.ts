import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { HELP } from '../../src/cli/parseArguments';
import { repoRoot } from '../editor/repoRoot';

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'src/README.md', 'test/README.md', 'src/library/README.md'];

const manifestSchema = z.object({
  contributes: z.object({
    configuration: z.array(z.object({ properties: z.record(z.string(), z.unknown()) })),
    keybindings: z.array(z.object({ key: z.string() })),
  }),
});

describe('documents', () => {
  for (const document of DOCUMENTS) {
    it(`${document} names only files and folders that exist`, () => {
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

    it(`${document} links only to files that exist`, () => {
      const text = readFileSync(join(repoRoot, document), 'utf8');
      const links = [...text.matchAll(/\]\((?!https?:|#|command:)([^)#]+)/g)].map((match) => match[1] ?? '');
      const folder = document.includes('/') ? join(repoRoot, document, '..') : repoRoot;
      assert.deepEqual(
        links.filter((link) => !existsSync(join(folder, link))),
        [],
      );
    });
  }

  it('names only npm scripts that exist', () => {
    const scripts: unknown = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8'));
    const known = JSON.stringify(scripts);
    for (const document of DOCUMENTS) {
      const text = readFileSync(join(repoRoot, document), 'utf8');
      for (const match of text.matchAll(/npm run ([\w:-]+)/g)) {
        assert.ok(known.includes(`"${match[1] ?? ''}":`), `${document}: npm run ${match[1] ?? ''}`);
      }
    }
  });

  describe('README.md', () => {
    const read = (file: string) => readFileSync(join(repoRoot, file), 'utf8');
    const text = read('README.md').replace(/\s+/g, ' ');
    const manifest = manifestSchema.parse(JSON.parse(read('package.json')));
    const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

    it('names only settings that exist', () => {
      const known = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
      const settings = named(/`(cairn\.\w+(?:\.\w+)*)`/g);
      assert.ok(settings.length > 5);
      assert.deepEqual(
        settings.filter((name) => !known.includes(name)),
        [],
      );
    });

    it('names only commands of the editor that exist, by their titles', () => {
      const titles = Object.values(z.record(z.string(), z.string()).parse(JSON.parse(read('package.nls.json'))));
      const commands = named(/_Cairn: ([^_]+)_/g);
      assert.ok(commands.length > 8);
      assert.deepEqual(
        commands.filter((title) => !titles.includes(title)),
        [],
      );
    });

    it('names only chords that the manifest binds', () => {
      const known = manifest.contributes.keybindings.map(({ key }) => key);
      const chords = named(/`(Ctrl\+K [^`]+)`/g).map((chord) => chord.toLowerCase());
      assert.ok(chords.length > 3);
      assert.deepEqual(
        chords.filter((chord) => !known.includes(chord)),
        [],
      );
    });

    it('names only options that the command line has', () => {
      const options = named(/(?<!npm start -- )(--[a-z][\w-]+)/g);
      assert.ok(options.length > 4);
      assert.deepEqual(
        options.filter((option) => !HELP.includes(option)),
        [],
      );
    });
  });
});
