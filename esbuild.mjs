// Builds `dist/`: the extension, the panel, the command line, the library, and the SDKs as separate chunks loaded on first use.
// Usage: node esbuild.mjs [--production] [--watch]
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, context } from 'esbuild';
import { parse } from 'yaml';

/** Dependencies loaded by the first request that needs them: module → file name in `dist/`. */
const LAZY_CHUNKS = {
  './openaiLibrary': 'openai',
  './anthropicSdk': 'anthropic',
  './yamlLibrary': 'yaml',
  './mcpLibrary': 'mcp',
  './mcpServerLibrary': 'mcpServer',
  './treeSitterLibrary': 'treeSitter',
};

/** Maps the front matter of each agent, role and skill in `assets/` to its parsed value. */
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

/** Loads `.md` as text and `.yaml` as its parsed value, so bundled content needs no parser at run time. */
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

/** The YAML parser looks up an environment variable for each of its tokens, which takes more time than much of its own work. */
function quietYamlPlugin() {
  const looksUp = 'node_process.env.LOG_TOKENS';
  return {
    name: 'quiet-yaml',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]yaml[\\/]dist[\\/]parse[\\/]parser\.js$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!text.includes(looksUp)) throw new Error(`${path} has no ${looksUp}. Adapt quietYamlPlugin, or remove it.`);
        return { contents: text.replace(looksUp, 'false') };
      });
    },
  };
}

/** Maps each name exported by the engine's `index.ts` to the file that defines it (relative to the repository) and its name there. */
function behindTheDoor() {
  const door = readFileSync(`${import.meta.dirname}/src/engine/index.ts`, 'utf8');
  const exports = [...door.matchAll(/^export \{([^}]*)\} from '\.\/([^']+)';/gm)];
  return new Map(
    exports.flatMap(([, names, file]) =>
      valuesIn(names).map(([name, given]) => [given, { name, file: `${import.meta.dirname}/src/engine/${file}` }]),
    ),
  );
}

/** Parses `a, type B, c as d` into its non-type names, each mapped to the name on the other side of `as`. */
function valuesIn(names) {
  return names
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('type '))
    .map((one) => one.split(/\s+as\s+/))
    .map(([name, other = name]) => [name, other]);
}

/**
 * Rewrites imports from the engine's `index.ts` to import from the defining files. Otherwise esbuild loads everything that any
 * file imports through the index as soon as the index is loaded, which would pull lazily loaded parts into every startup.
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
          // Keeps the line numbers below unchanged, for source maps.
          return taken.join(' ') + '\n'.repeat(line.split('\n').length - 1);
        });
        return { contents, loader: 'ts' };
      });
    },
  };
}

/**
 * zod exports its JSON Schema writer from the same two index files as everything else, so a split bundle would load it at
 * startup. This plugin gives it to `toolSpecs.ts` only, where it loads with the first request.
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

/** Turns `await import('openai')` into a load of the chunk next to the bundle. */
function lazyChunksPlugin() {
  return {
    name: 'lazy-chunks',
    setup({ onResolve }) {
      onResolve(
        {
          filter:
            /^(\.\/openaiLibrary|\.\/anthropicSdk|\.\/yamlLibrary|\.\/mcpLibrary|\.\/mcpServerLibrary|\.\/treeSitterLibrary)$/,
        },
        ({ kind, path }) =>
          kind === 'dynamic-import' ? { path: `./${LAZY_CHUNKS[path]}.js`, external: true } : undefined,
      );
    },
  };
}

/**
 * Returns the chunks in `outputs` that load together with `first`, including itself, plus the dynamically imported chunks whose
 * entry points are in `usual` (files of the repository).
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

/**
 * Returns the chunks shared by several others that have less than `smallest` bytes and need nothing but `joined`: finding and
 * reading them as files would take longer than everything in them.
 */
function tooSmall(outputs, joined, smallest) {
  const shared = Object.entries(outputs).filter(([output, { bytes, entryPoint }]) => {
    return bytes < smallest && entryPoint === undefined && !joined.has(output);
  });
  const found = new Set(joined);
  const isThere = ({ kind, path, external }) =>
    kind !== 'import-statement' || found.has(path) || (external && isImported(path, outputs, joined));
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const [output, { imports }] of shared) if (imports.every(isThere)) found.add(output);
  }
  return [...found].filter((output) => !joined.has(output));
}

function isImported(module, outputs, joined) {
  return [...joined].some((output) => outputs[output].imports.some(({ path }) => path === module));
}

/** Imports from another chunk, as esbuild writes them: the imported names and the file. */
const IMPORTS = /\bimport\s*\{([^}]*)\}\s*from\s*"\.\/([\w-]+\.js)"/g;

/**
 * esbuild can split only ES modules into lazily loaded chunks. V8 caches compiled code only for scripts, and the extension host
 * resolves `require` next to our file in every version, so each chunk is converted to a CommonJS file. The chunks that are always
 * loaded are joined into one, `dist/NAME.js`: as separate files, each would add half a KiB of export boilerplate.
 */
function commonJsParts(name, usual, smallest) {
  const first = `${name}.js`;
  return {
    name: 'commonjs-parts',
    setup({ onEnd }) {
      onEnd(async ({ outputFiles = [], metafile: { outputs } }) => {
        const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
        const always = loadedWith(`dist/${first}`, outputs, new Set(usual));
        const joined = new Set([...always, ...tooSmall(outputs, always, smallest)].map((output) => basename(output)));
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
          // Comes before the first chunk, which may need these modules immediately.
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

/** Returns the chunk that a dynamic import of this file loads. */
function partOf(file, outputs) {
  const [found] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === file) ?? [];
  if (found === undefined) throw new Error(`Nothing imports ${file} later, so it is in no part of its own.`);
  return basename(found);
}

/**
 * Evaluates dynamically imported chunks that are nevertheless part of the first file along with that file; otherwise esbuild
 * would wrap each module they need in a function. Their importers get them from a table.
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
 * The wrapper that `src/node/codeCache.ts` puts around a file to run it. Nothing else runs the command's chunks, so it is written
 * at build time: adding it at each startup would double their text in memory.
 */
const AS_FUNCTION = {
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
};

/**
 * Writes one CommonJS file of `dist`. `inside` returns the text of a module to bundle into it, or undefined for files that stay
 * external.
 */
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
  for (const { path, text } of outputFiles) writeFileSync(path, path.endsWith('.js') ? withoutExportNames(text) : text);
}

/** Removes the list of all exports that esbuild adds for ES modules that import the file by name: nothing imports a part so. */
function withoutExportNames(text) {
  return text.replace(/\b0 ?&& ?\(module\.exports ?= ?\{[^{}]*\}\);?/, '');
}

/** Rewrites the metafile as if esbuild had joined these chunks itself. */
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

/** Leaves out the DOM that Turndown bundles for parsing strings: Cairn passes it documents. */
function withoutDomino() {
  return {
    name: 'without-domino',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^@mixmark-io\/domino$/ }, ({ path }) => ({ path, namespace: 'without' }));
      onLoad({ filter: /./, namespace: 'without' }, () => ({ contents: '' }));
    },
  };
}

/** Keeps the panel's script a single file and loads the highlighting grammars next to it with the first code block shown. */
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

/** Options common to all webview scripts. */
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

/** Webview scripts, by name. */
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
  // Pages shown in editor tabs alongside chats.
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
  // The editor warns about extensions whose libraries read `navigator`, and none of Cairn's needs it.
  define: { navigator: 'undefined' },
  plugins: [contentPlugin(), quietYamlPlugin(), lazyChunksPlugin(), pastTheDoorPlugin()],
};

/**
 * Leaves out the resources of OpenAI's SDK that Cairn never calls. Its client creates all of them, so a bundler cannot, and they
 * are more than half of what the first request would load.
 */
function calledResourcesPlugin() {
  const isCalled = /[\\/]resources[\\/]responses[\\/]/;
  return {
    name: 'called-resources',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]openai[\\/]resources[\\/].*\.mjs$/ }, ({ path }) => {
        const classes = [...readFileSync(path, 'utf8').matchAll(/^export class (\w+)/gm)];
        if (isCalled.test(path) || classes.length === 0) return undefined;
        return { contents: classes.map(([, name]) => `export class ${name} {}`).join('\n') };
      });
    },
  };
}

/** SDKs get Cairn's classes in place of those of the built-in fetch. */
const vendorSdk = {
  plugins: [],
  define: { ...node.define, 'globalThis.ReadableStream': 'NoStream' },
  inject: ['src/engine/llm/sdk/sdkGlobals.ts'],
};

/** Modules that every run of the command needs: they are bundled into its first file although the source imports them dynamically. */
const USUAL_IN_COMMAND = [
  'src/engine/authoring/contentLoaders.ts',
  'src/engine/llm/fittingClient.ts',
  'src/engine/llm/middleware/retryBrokenStream.ts',
  'src/engine/llm/sdkClients.ts',
  'src/engine/runtime/agentRun.ts',
  'src/engine/runtime/checkRunRequest.ts',
  'src/engine/tools/files/listFolder.ts',
  'src/node/processes/nodeProcessRunner.ts',
];

/** Options for a split bundle: `dist/NAME.js` with what is always needed, and `dist/NAME-….js` chunks loaded on first use. */
const parts = (name, plugins, usual = [], smallest = 0) => ({
  plugins: [...node.plugins, ...plugins, commonJsParts(name, usual, smallest)],
  format: 'esm',
  splitting: true,
  outdir: 'dist',
  chunkNames: `${name}-[hash]`,
  sourcemap: production ? false : 'inline',
  write: false,
});

/** Name → options. The name is also that of the metafile under `.build/meta`. */
const bundles = {
  // The editor's entry point, which runs the host from cached compiled code.
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
    plugins: [calledResourcesPlugin()],
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
  // Lays out graph drawings in a separate thread.
  graphLayout: {
    ...node,
    plugins: [],
    entryPoints: ['src/host/graphs/layout/layoutWorker.ts'],
    outfile: 'dist/graphLayout.js',
    format: 'cjs',
    sourcemap: false,
  },
  yaml: {
    ...node,
    plugins: [quietYamlPlugin()],
    entryPoints: ['src/engine/content/yamlLibrary.ts'],
    outfile: 'dist/yaml.js',
    format: 'cjs',
    sourcemap: false,
  },
  // Uses the smaller of the SDK's two validators, the one meant for server runtimes other than Node.
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
    // The ES module build looks for `require` next to itself. Code run from the cache cannot use `import()`.
    alias: { 'web-tree-sitter': './node_modules/web-tree-sitter/web-tree-sitter.cjs' },
    supported: { 'dynamic-import': false },
  },
  // Runs TypeScript and JavaScript tools, each in its own process.
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
    // Kept as written: it does not exist in every Node version.
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
  // The implementation of `cairn`. It loads SDKs with `require`: Node 20 spends about 40 ms detecting the export names of a
  // CommonJS chunk that is imported.
  command: {
    ...node,
    ...parts('command', [], USUAL_IN_COMMAND, 1024),
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
  // `import … from 'cairn'` in a program. Its types are written by `npm run types:library`.
  library: {
    ...node,
    entryPoints: ['src/library/index.ts'],
    outfile: 'dist/index.mjs',
    format: 'esm',
    // Bundled libraries call `require` for Node's modules.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
  },
  webview: { ...shared, ...panelScripts.webview },
  highlighting: { ...shared, ...panelScripts.highlighting },
  pages: { ...shared, ...panelScripts.pages },
};

/**
 * Escapes what esbuild leaves: it escapes non-ASCII characters everywhere except in regular expressions. A single such character
 * makes V8 hold the whole file in twice the memory and read it more slowly.
 */
function escapeRest(file) {
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/[^\x00-\x7f]/g, escaped));
}

/** The WebAssembly files tree-sitter needs to parse programs. */
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
