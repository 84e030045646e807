// Builds dist/: the extension, the panel, the command line, the library, and the SDKs as chunks of their own that load on first use.
// Usage: node esbuild.mjs [--production] [--watch]
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, context } from 'esbuild';
import { parse } from 'yaml';

/** Dependencies that are loaded with the first request that needs them: module → file in dist/. */
const LAZY_CHUNKS = {
  './openaiLibrary': 'openai',
  './anthropicSdk': 'anthropic',
  './yamlLibrary': 'yaml',
  './mcpLibrary': 'mcp',
  './mcpServerLibrary': 'mcpServer',
  './treeSitterLibrary': 'treeSitter',
  picomatch: 'picomatch',
};

/** Front matter of the agents, roles and skills in assets/ → the value that it describes. */
function knownFrontMatter() {
  const files = ['agents', 'roles', 'skills'].flatMap((kind) =>
    readdirSync(`${import.meta.dirname}/assets/${kind}`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
      .map(({ parentPath, name }) => `${parentPath}/${name}`),
  );
  const heads = files.flatMap((file) => {
    const head = /^---\n(.*?)\n---\n/s.exec(readFileSync(file, 'utf8').replace(/\r\n/g, '\n'))?.[1];
    return head === undefined ? [] : [[head, parse(head)]];
  });
  return { contents: JSON.stringify(Object.fromEntries(heads)), loader: 'json', watchFiles: files };
}

/** Loads `.md` as text and `.yaml` as the value it describes, so that content needs no parser at run time. */
export function contentPlugin() {
  return {
    name: 'content',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\/known\.frontMatter$/ }, ({ path }) => ({ path, namespace: 'known' }));
      onLoad({ filter: /./, namespace: 'known' }, knownFrontMatter);
      onLoad({ filter: /\.md$/ }, ({ path }) => ({ contents: readFileSync(path, 'utf8'), loader: 'text' }));
      onLoad({ filter: /\.yaml$/ }, ({ path }) => ({
        contents: JSON.stringify(parse(readFileSync(path, 'utf8'))),
        loader: 'json',
      }));
    },
  };
}

/** The door of the engine: name that it gives → file that holds it, relative to the repository, with its name there. */
function behindTheDoor() {
  const door = readFileSync(`${import.meta.dirname}/src/engine/index.ts`, 'utf8');
  const exports = [...door.matchAll(/^export \{([^}]*)\} from '\.\/([^']+)';/gm)];
  return new Map(
    exports.flatMap(([, names, file]) =>
      valuesIn(names).map(([name, given]) => [given, { name, file: `${import.meta.dirname}/src/engine/${file}` }]),
    ),
  );
}

/** `a, type B, c as d` → what is no type, each with its name on the other side. */
function valuesIn(names) {
  return names
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('type '))
    .map((one) => one.split(/\s+as\s+/))
    .map(([name, other = name]) => [name, other]);
}

/**
 * Has files import from where a thing is instead of the door of the engine. Whatever any file takes through the door esbuild
 * loads with the door, so that parts which load with their first use would bring theirs to the start of everyone.
 */
function pastTheDoorPlugin() {
  return {
    name: 'past-the-door',
    setup({ onLoad, onStart }) {
      let known = new Map();
      onStart(() => void (known = behindTheDoor()));
      onLoad({ filter: /[\\/]src[\\/](chat|cli|host|library|node)[\\/].*\.ts$/ }, ({ path }) => {
        const whole = readFileSync(path, 'utf8');
        const contents = whole.replace(/^import \{([^}]*)\} from '(?:\.\.\/)+engine';/gm, (line, names) => {
          const taken = valuesIn(names).map(([name, here]) => {
            const from = known.get(name);
            if (!from) throw new Error(`${path} takes ${name} from the engine, whose door does not give it.`);
            return `import { ${from.name} as ${here} } from ${JSON.stringify(from.file)};`;
          });
          // The lines after it stay where they are, for source maps.
          return taken.join(' ') + '\n'.repeat(line.split('\n').length - 1);
        });
        return { contents, loader: 'ts' };
      });
    },
  };
}

/**
 * zod gives what writes JSON Schemas by the same two files as all the rest, so a bundle in parts would load it at once. Here it
 * comes to `toolSpecs.ts` alone, and with the first question.
 */
function lateJsonSchemaPlugin() {
  const zod = join(import.meta.dirname, 'node_modules', 'zod', 'v4', 'core');
  return {
    name: 'late-json-schema',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\/(?:to-)?json-schema[a-z-]*\.js$/ }, ({ importer }) =>
        /[\\/]zod[\\/]v4[\\/](?:core[\\/]index|mini[\\/]external)\.js$/.test(importer)
          ? { path: 'json-schema', namespace: 'late', sideEffects: false }
          : undefined,
      );
      onLoad({ filter: /./, namespace: 'late' }, () => ({
        contents: 'export const toJSONSchema = undefined, JSONSchemaGenerator = undefined;',
      }));
      onResolve({ filter: /^zod\/v4\/core$/ }, ({ importer }) =>
        importer.endsWith('toolSpecs.ts')
          ? { path: join(zod, 'json-schema-processors.js'), sideEffects: false }
          : undefined,
      );
    },
  };
}

/** Turns `await import('openai')` into a load of the chunk beside the bundle. */
function lazyChunksPlugin() {
  return {
    name: 'lazy-chunks',
    setup({ onResolve }) {
      onResolve(
        {
          filter:
            /^(picomatch|\.\/openaiLibrary|\.\/anthropicSdk|\.\/yamlLibrary|\.\/mcpLibrary|\.\/mcpServerLibrary|\.\/treeSitterLibrary)$/,
        },
        ({ kind, path }) =>
          kind === 'dynamic-import' ? { path: `./${LAZY_CHUNKS[path]}.js`, external: true } : undefined,
      );
    },
  };
}

/**
 * The parts of a bundle in `outputs` that are loaded together with `first`, itself among them; with those that it imports later
 * and that are `usual`, which are files of the repository.
 */
function loadedWith(first, outputs, usual) {
  const found = new Set();
  const isJoined = ({ kind, path }) => kind === 'import-statement' || usual.has(outputs[path]?.entryPoint);
  const collect = (output) => {
    if (found.has(output) || !outputs[output]) return;
    found.add(output);
    for (const one of outputs[output].imports) if (isJoined(one)) collect(one.path);
  };
  collect(first);
  return found;
}

/** Names of imports from another part, as esbuild writes them: what is taken, and from which file. */
const IMPORTS = /\bimport\s*\{([^}]*)\}\s*from\s*"\.\/([\w-]+\.js)"/g;

/**
 * esbuild divides only ES modules into parts that are loaded when they are needed. V8 keeps compiled code only of scripts,
 * and the extension host resolves `require` beside our file in every version: so each part becomes a CommonJS file. The parts
 * that are always loaded become one, `dist/NAME.js`: each by itself would bring half a KiB to say what it gives to the others.
 */
function commonJsParts(name, usual) {
  const first = `${name}.js`;
  return {
    name: 'commonjs-parts',
    setup({ onEnd }) {
      onEnd(async ({ outputFiles = [], metafile: { outputs } }) => {
        const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
        const joined = new Set(
          [...loadedWith(`dist/${first}`, outputs, new Set(usual))].map((output) => basename(output)),
        );
        const isDynamic = new Set(
          Object.values(outputs).flatMap(({ imports }) =>
            imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => basename(path)),
          ),
        );
        const given = new Map([...joined].map((part) => [part, new Set(isDynamic.has(part) ? exportsOf(part) : [])]));
        for (const [part, text] of texts) {
          if (joined.has(part)) continue;
          for (const [, names, from] of text.matchAll(IMPORTS)) {
            for (const one of names.split(',')) given.get(from)?.add(one.trim().split(/\s+as\s+/)[0]);
          }
        }
        const numbers = new Map([...joined].map((part, at) => [part, at]));
        const nameOf = (part, one) => `p${numbers.get(part)}_${one}`;
        const list = (part, from, write) => `export { ${[...given.get(part)].map(write).join(', ')} } from '${from}';`;
        const whole = [...joined].filter((part) => part !== first && given.get(part).size > 0);
        const usualParts = usual.map((file) => partOf(file, outputs));
        const entry = [
          // Before the first, which may ask for them at once.
          ...(usualParts.length > 0 ? [`import './known';`] : []),
          `export * from './${first}';`,
          ...whole.map((part) => list(part, `./${part}`, (one) => `${one} as ${nameOf(part, one)}`)),
        ];
        const proxy = (part) => list(part, `./${first}`, (one) => `${nameOf(part, one)} as ${one}`);
        mkdirSync('dist', { recursive: true });
        const inFirst = new Map([
          ...usualTexts(usualParts),
          ...[...joined].map((part) => [part, ofKnown(texts.get(part), usualParts)]),
        ]);
        await writePart(first, entry.join('\n'), (part) => inFirst.get(part));
        const apart = [...texts.keys()].filter((part) => !joined.has(part) || (isDynamic.has(part) && part !== first));
        await Promise.all(
          apart.map((part) =>
            writePart(part, joined.has(part) ? proxy(part) : texts.get(part), (one) =>
              joined.has(one) && one !== first ? proxy(one) : undefined,
            ),
          ),
        );
        tellJoined(outputs, first, joined);

        function exportsOf(part) {
          return outputs[`dist/${part}`].exports;
        }
      });
    },
  };
}

/** The part that an import of this file loads later. */
function partOf(file, outputs) {
  const [found] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === file) ?? [];
  if (found === undefined) throw new Error(`Nothing imports ${file} later, so it is in no part of its own.`);
  return basename(found);
}

/**
 * Parts that are imported later, and lie in the first file all the same, are evaluated with it: esbuild would put a function around
 * each module that they need. Who imports one gets it from a table.
 */
function usualTexts(parts) {
  const imports = parts.map((part, at) => `import * as u${at} from './${part}'; known['${part}'] = u${at};`);
  return [
    ['table', 'export const known = {};'],
    ['known', ["import { known } from './table';", ...imports].join('\n')],
  ];
}

function ofKnown(text, parts) {
  const taken = text.replace(/\bimport\("\.\/([\w-]+\.js)"\)/g, (whole, part) =>
    parts.includes(part) ? `Promise.resolve(known[${JSON.stringify(part)}])` : whole,
  );
  return taken === text ? text : `import { known } from './table';\n${taken}`;
}

/**
 * What `src/node/codeCache.ts` puts around a file to run it. The parts of the command are run by nothing else, and have it written:
 * put around them with each start, it would double their text in memory.
 */
const AS_FUNCTION = {
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
};

/** Writes one CommonJS file of `dist`; `inside` gives the text of what becomes a part of it, and undefined for other files. */
async function writePart(file, contents, inside) {
  const { outputFiles } = await build({
    ...(file.startsWith('command') && AS_FUNCTION),
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    stdin: { contents, sourcefile: file, resolveDir: import.meta.dirname },
    supported: { 'dynamic-import': false },
    outfile: `dist/${file}`,
    sourcemap: production ? false : 'linked',
    minify: production,
    logLevel: 'warning',
    plugins: [
      {
        name: 'parts',
        setup({ onLoad, onResolve }) {
          onResolve({ filter: /./ }, ({ path, kind }) => {
            if (kind === 'entry-point') return undefined;
            const part = path.startsWith('./') && kind === 'import-statement' ? basename(path) : '';
            return inside(part) === undefined ? { path, external: true } : { path: part, namespace: 'part' };
          });
          onLoad({ filter: /./, namespace: 'part' }, ({ path }) => ({ contents: inside(path), loader: 'js' }));
        },
      },
    ],
  });
  for (const { path, contents: bytes } of outputFiles) writeFileSync(path, bytes);
}

/** The metafile as if esbuild had joined these parts itself. */
function tellJoined(outputs, first, joined) {
  const whole = outputs[`dist/${first}`];
  for (const part of joined) {
    if (part === first) continue;
    const { inputs, imports } = outputs[`dist/${part}`];
    for (const [file, input] of Object.entries(inputs)) whole.inputs[file] ??= input;
    whole.imports.push(...imports.filter(({ kind }) => kind === 'dynamic-import'));
    Reflect.deleteProperty(outputs, `dist/${part}`);
  }
  whole.imports = whole.imports.filter(({ path, kind }) => kind !== 'import-statement' || !joined.has(basename(path)));
}

/** Leaves out the DOM that Turndown brings for texts: we give it documents. */
function withoutDomino() {
  return {
    name: 'without-domino',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^@mixmark-io\/domino$/ }, ({ path }) => ({ path, namespace: 'without' }));
      onLoad({ filter: /./, namespace: 'without' }, () => ({ contents: '' }));
    },
  };
}

/** The panel's script is one file, beside which the languages of code lie; it loads them with the first code that it shows. */
function lazyColoursPlugin() {
  return {
    name: 'lazy-colours',
    setup({ onResolve }) {
      onResolve({ filter: /\/highlightLines$/ }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: './highlighting.js', external: true } : undefined,
      );
    },
  };
}

/** What the scripts of webviews have in common. */
const browser = {
  bundle: true,
  legalComments: 'none',
  platform: 'browser',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  tsconfig: 'webview/tsconfig.json',
  loader: { '.ttf': 'file' },
  assetNames: '[name]',
};

/** What is shown in webviews, by name. */
export const panelScripts = {
  webview: {
    ...browser,
    entryPoints: ['webview/main.tsx'],
    outfile: 'dist/webview.js',
    format: 'iife',
    plugins: [lazyColoursPlugin()],
  },
  highlighting: {
    ...browser,
    entryPoints: ['webview/markdown/highlightLines.ts'],
    outfile: 'dist/highlighting.js',
    format: 'esm',
  },
  // What is shown in editor tabs beside chats.
  pages: {
    ...browser,
    entryPoints: ['webview/pages/main.tsx'],
    outfile: 'dist/pages.js',
    format: 'iife',
  },
};

const production = process.argv.includes('--production');

const shared = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

const node = {
  ...shared,
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  // The editor warns extensions whose libraries read `navigator`, and none of ours needs it.
  define: { navigator: 'undefined' },
  plugins: [contentPlugin(), lazyChunksPlugin(), pastTheDoorPlugin()],
};

/** An SDK has classes of our own where it names those of the built-in fetch. */
const vendorSdk = {
  plugins: [],
  define: { ...node.define, 'globalThis.ReadableStream': 'NoStream' },
  inject: ['src/engine/llm/sdk/sdkGlobals.ts'],
};

/** What a run of the command comes to in any case: it is loaded with the command, though the source loads it when it is needed. */
const USUAL_IN_COMMAND = [
  'src/engine/authoring/contentLoaders.ts',
  'src/engine/llm/border/fittingClient.ts',
  'src/engine/llm/middleware/retryBrokenStream.ts',
  'src/engine/llm/sdkClients.ts',
  'src/engine/runtime/agentRun.ts',
  'src/engine/runtime/checkRunRequest.ts',
  'src/engine/tools/files/list/listFolder.ts',
  'src/node/processes/nodeProcessRunner.ts',
];

/** A bundle in parts: `dist/NAME.js`, with what it always needs, and `dist/NAME-….js`, each loaded with its first use. */
const parts = (name, plugins, usual = []) => ({
  plugins: [...node.plugins, ...plugins, commonJsParts(name, usual)],
  format: 'esm',
  splitting: true,
  outdir: 'dist',
  chunkNames: `${name}-[hash]`,
  sourcemap: production ? false : 'inline',
  write: false,
});

/** Name → options; the name is that of the metafile under .build/meta. */
const bundles = {
  // What the editor loads; it runs the host with the code that was compiled before.
  extension: {
    ...node,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    format: 'cjs',
  },
  host: {
    ...node,
    ...parts('host', [lateJsonSchemaPlugin()]),
    entryPoints: { host: 'src/host/activate.ts' },
    external: ['vscode'],
  },
  openai: {
    ...node,
    ...vendorSdk,
    entryPoints: ['src/engine/llm/sdk/openaiLibrary.ts'],
    outfile: 'dist/openai.js',
    format: 'cjs',
    sourcemap: false,
  },
  anthropic: {
    ...node,
    ...vendorSdk,
    entryPoints: ['src/engine/llm/sdk/messages/anthropicSdk.ts'],
    outfile: 'dist/anthropic.js',
    format: 'cjs',
    sourcemap: false,
  },
  web: {
    ...node,
    plugins: [withoutDomino()],
    entryPoints: ['src/node/web/pageWorker.ts'],
    outfile: 'dist/web.js',
    format: 'cjs',
    sourcemap: false,
  },
  // What lays out drawings of graphs, in a thread of its own.
  graphLayout: {
    ...node,
    plugins: [],
    entryPoints: ['src/host/graphs/layout/layoutWorker.ts'],
    outfile: 'dist/graphLayout.js',
    format: 'cjs',
    sourcemap: false,
  },
  picomatch: {
    ...node,
    plugins: [],
    entryPoints: ['picomatch'],
    outfile: 'dist/picomatch.js',
    format: 'cjs',
    sourcemap: false,
  },
  yaml: {
    ...node,
    plugins: [],
    entryPoints: ['src/engine/content/yamlLibrary.ts'],
    outfile: 'dist/yaml.js',
    format: 'cjs',
    sourcemap: false,
  },
  // With the smaller of its two validators, as it is on servers that are no Node.
  mcp: {
    ...node,
    plugins: [],
    conditions: ['workerd'],
    entryPoints: ['src/node/mcp/mcpLibrary.ts'],
    outfile: 'dist/mcp.js',
    format: 'cjs',
    sourcemap: false,
  },
  mcpServer: {
    ...node,
    plugins: [],
    entryPoints: ['src/cli/mcp/serve/mcpServerLibrary.ts'],
    outfile: 'dist/mcpServer.js',
    format: 'cjs',
    sourcemap: false,
  },
  treeSitter: {
    ...node,
    plugins: [],
    entryPoints: ['src/node/scripts/treeSitterLibrary.ts'],
    outfile: 'dist/treeSitter.js',
    format: 'cjs',
    sourcemap: false,
    // Its other form looks for `require` beside itself. Code that was compiled before cannot import by itself.
    alias: { 'web-tree-sitter': './node_modules/web-tree-sitter/web-tree-sitter.cjs' },
    supported: { 'dynamic-import': false },
  },
  // How tools in TypeScript and JavaScript are called, each in a process of its own.
  runScript: {
    ...node,
    plugins: [],
    entryPoints: ['src/node/scripts/modules/runScript.ts'],
    outfile: 'dist/runScript.mjs',
    format: 'esm',
    sourcemap: false,
  },
  querySqlite: {
    ...node,
    plugins: [],
    entryPoints: ['src/node/onRequest/modules/querySqlite.ts'],
    outfile: 'dist/querySqlite.mjs',
    format: 'esm',
    sourcemap: false,
    // As it is written: it is not everywhere.
    external: ['node:sqlite'],
  },
  scriptHooks: {
    ...node,
    plugins: [],
    entryPoints: ['src/node/scripts/modules/scriptHooks.ts'],
    outfile: 'dist/scriptHooks.mjs',
    format: 'esm',
    sourcemap: false,
  },
  // What `cairn` does. It loads SDKs with `require`: Node 20 spends some 40 ms on finding the names that a CommonJS chunk exports.
  command: {
    ...node,
    ...parts('command', [], USUAL_IN_COMMAND),
    entryPoints: { command: 'src/cli/commandLine.ts' },
    define: { ...node.define, 'globalThis.__zod_globalConfig': 'zodConfig' },
    inject: ['src/cli/zodConfig.ts'],
  },
  cli: {
    ...node,
    entryPoints: ['src/cli/main.ts'],
    outfile: 'dist/cairn.mjs',
    format: 'esm',
    sourcemap: false,
    banner: { js: '#!/usr/bin/env node' },
  },
  // `import … from 'cairn'` in a program; its types are written by `npm run types:library`.
  library: {
    ...node,
    entryPoints: ['src/library/index.ts'],
    outfile: 'dist/index.mjs',
    format: 'esm',
    // Libraries that are bundled ask for modules of Node in this way.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
  },
  webview: { ...shared, ...panelScripts.webview },
  highlighting: { ...shared, ...panelScripts.highlighting },
  pages: { ...shared, ...panelScripts.pages },
};

/**
 * esbuild escapes what is not ASCII everywhere but in regular expressions. A single such character would make V8 hold the
 * whole file in twice the memory, and read it more slowly.
 */
function escapeRest(file) {
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/[^\x00-\x7f]/g, escaped));
}

/** What tree-sitter reads programs with. */
const grammars = [
  'web-tree-sitter/web-tree-sitter.wasm',
  'tree-sitter-python/tree-sitter-python.wasm',
  'tree-sitter-typescript/tree-sitter-typescript.wasm',
];

async function buildAll() {
  rmSync('dist', { recursive: true, force: true });
  mkdirSync('.build/meta', { recursive: true });
  await Promise.all(
    Object.entries(bundles).map(async ([name, options]) => {
      const { metafile } = await build(options);
      writeFileSync(`.build/meta/${name}.json`, JSON.stringify(metafile));
      if (!production || options.platform !== 'node') return;
      for (const file of Object.keys(metafile.outputs)) escapeRest(file);
    }),
  );
  for (const file of grammars) copyFileSync(`node_modules/${file}`, `dist/${basename(file)}`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await buildAll();
  if (process.argv.includes('--watch')) {
    const watched = await Promise.all(Object.values(bundles).map((options) => context(options)));
    await Promise.all(watched.map((one) => one.watch()));
    console.log('Watching for changes; Ctrl+C ends it.');
  }
}
