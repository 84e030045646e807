import assert from 'node:assert/strict';
import { type SourceFile, sourceFiles } from './sourceFiles';

/** Layer → the layers of Cairn and the packages that it may import. */
const LAYERS: Record<string, { ours: readonly string[]; packages: readonly (string | RegExp)[] }> = {
  base: { ours: ['base'], packages: ['yaml', /^zod\//] },
  protocol: { ours: ['base', 'protocol'], packages: ['zod/mini'] },
  engine: {
    ours: ['base', 'engine'],
    packages: [
      'zod/v4/core',
      'yaml',
      'diff',
      'jsonrepair',
      'smol-toml',
      '@cfworker/json-schema',
      'openai',
      /^openai\//,
      '@anthropic-ai/sdk',
      /^@anthropic-ai\/sdk\//,
    ],
  },
  node: {
    ours: ['base', 'node', 'door', 'manifest'],
    packages: [
      /^node:/,
      'ignore',
      'linkedom',
      '@mozilla/readability',
      'turndown',
      '@joplin/turndown-plugin-gfm',
      '@modelcontextprotocol/client',
      'cross-spawn',
      'sucrase',
      'web-tree-sitter',
    ],
  },
  library: { ours: ['base', 'node', 'library', 'door', 'library-door'], packages: [/^node:/] },
  chat: { ours: ['base', 'protocol', 'chat', 'door'], packages: ['node:util'] },
  host: {
    ours: ['base', 'protocol', 'node', 'chat', 'host', 'library', 'door'],
    packages: ['vscode', /^node:/, '@dagrejs/dagre'],
  },
  cli: {
    ours: ['base', 'node', 'cli', 'door', 'manifest'],
    packages: [/^node:/, /^@modelcontextprotocol\/sdk\//],
  },
  webview: {
    ours: ['base', 'protocol', 'webview'],
    packages: [
      /^preact/,
      '@vscode/webview-ui-toolkit',
      /^@vscode\/codicons\//,
      'diff',
      'marked',
      'dompurify',
      /^highlight\.js\//,
    ],
  },
  extension: { ours: ['node', 'host', 'library'], packages: ['vscode'] },
};

/** A folder of the engine imports only from folders listed before it; the files directly in engine/ may import from all of them. */
const ENGINE_ORDER = [
  'messages',
  'llm',
  'secrets',
  'permissions',
  'events',
  'tools',
  'mcp',
  'scripts',
  'content',
  'skills',
  'roles',
  'commands',
  'context',
  'sessions',
  'prompt',
  'run',
  'usage',
  'graphs',
  'agents',
  'team',
  'runtime',
  'authoring',
  'import',
];
/** Leaf modules that every folder of the engine may import. */
const ENGINE_LEAVES = ['ports', 'alarm', 'engineError', 'checkPlugin', 'readOnce'].map(
  (name) => `src/engine/${name}.ts`,
);

const DOOR = 'src/engine/index.ts';
/** What only programs need, kept separate so that the extension does not load it. */
const LIBRARY_DOOR = 'src/engine/library.ts';

describe('Layers', () => {
  const files = sourceFiles('src', 'webview');

  it('import only the layers and packages they are allowed to', () => {
    const wrong = files.flatMap((file) => {
      const layer = LAYERS[layerOf(file.path)];
      assert.ok(layer, `${file.path} is in no layer`);
      return file.imports
        .filter(({ target, ours }) =>
          ours ? !mayImport(file.path, target, layer.ours) : !layer.packages.some((one) => matches(one, target)),
        )
        .map(({ target }) => `${file.path} imports ${target}`);
    });
    assert.deepEqual(wrong, []);
  });

  it('keep src/chat independent of the editor', () => {
    const chats = files.filter(({ path }) => path.startsWith('src/chat/'));
    assert.ok(chats.length > 0);
    const wrong = chats.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target === 'vscode' || target.startsWith('src/host/'))
        .map(({ target }) => `${path} imports ${target}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('keep the order of the engine folders', () => {
    const wrong = files
      .filter(({ path }) => path.startsWith('src/engine/'))
      .flatMap((file) =>
        file.imports.flatMap(({ target }) => (leftwards(file, target) ? [] : [`${file.path} imports ${target}`])),
      );
    assert.deepEqual(wrong, []);
  });

  it('include every engine folder in that order', () => {
    const folders = new Set(files.flatMap(({ path }) => /^src\/engine\/([^/]+)\//.exec(path)?.[1] ?? []));
    assert.deepEqual(
      [...folders].filter((one) => !ENGINE_ORDER.includes(one)),
      [],
    );
  });

  it('load vendor SDKs lazily', () => {
    const libraries = /\/(anthropicSdk|openaiLibrary)$/;
    const eager = files.flatMap(({ path, tree, imports }) =>
      imports
        .filter(({ target, typeOnly }) => (isSdk(target) || libraries.test(target)) && !typeOnly)
        .filter(({ target }) => !(isSdk(target) && libraries.test(path.replace(/\.ts$/, ''))))
        .filter(({ target }) => !tree.text.includes(`import('./${target.split('/').at(-1) ?? ''}')`))
        .map(({ target }) => `${path} loads ${target} at once`),
    );
    assert.deepEqual(eager, []);
  });
});

const isSdk = (target: string): boolean => /^(openai|@anthropic-ai)/.test(target);

function layerOf(path: string): string {
  if (path.startsWith('webview/')) return 'webview';
  if (path === 'src/extension.ts') return 'extension';
  return path.split('/')[1] ?? '';
}

function mayImport(from: string, target: string, allowed: readonly string[]): boolean {
  if (target === 'package.json') return allowed.includes('manifest');
  if (/^assets\/.*\.(md|yaml|frontMatter)$/.test(target)) return layerOf(from) === 'engine';
  if (/^webview\/.*\.css$/.test(target)) return layerOf(from) === 'webview';
  // Other layers import the engine only through its entry points.
  if (layerOf(target) === 'engine' && layerOf(from) !== 'engine') {
    return allowed.includes(target === DOOR ? 'door' : target === LIBRARY_DOOR ? 'library-door' : '');
  }
  return allowed.includes(layerOf(target));
}

function matches(allowed: string | RegExp, target: string): boolean {
  return typeof allowed === 'string' ? allowed === target : allowed.test(target);
}

function leftwards({ path }: SourceFile, target: string): boolean {
  const from = /^src\/engine\/([^/]+)\//.exec(path)?.[1];
  if (from === undefined || !target.startsWith('src/engine/') || ENGINE_LEAVES.includes(target)) return true;
  const to = /^src\/engine\/([^/]+)\//.exec(target)?.[1];
  return to !== undefined && ENGINE_ORDER.indexOf(to) <= ENGINE_ORDER.indexOf(from);
}
