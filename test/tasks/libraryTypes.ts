import { rmSync } from 'node:fs';
import path from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import ts from 'typescript';
import { repoRoot } from '../editor/repoRoot';
import { plainTypes } from './plainTypes';

/**
 * `npm run types:library`: writes the types of `import … from 'cairn'` to `dist/index.d.ts`, a single file that needs no package
 * other than Node's types. Types derived from schemas are written out.
 */
/** By a name that neither an editor nor eslint looks for: else they would make a program of their own for this folder. */
const CONFIG = path.join(repoRoot, 'src', 'library', 'types.tsconfig.json');
const OUT = path.join(repoRoot, 'dist', 'index.d.ts');
/** Where TypeScript would write its output files, which stay in memory. */
const VIRTUAL = path.join(repoRoot, 'dist', 'types');

function emitted(): Map<string, string> {
  const read = ts.getParsedCommandLineOfConfigFile(CONFIG, undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  });
  if (!read) throw new Error(`${CONFIG} cannot be read.`);
  const program = ts.createProgram(read.fileNames, read.options);
  const files = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (file, text) => files.set(path.resolve(file), text));
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length > 0) {
    throw new Error(
      ts.formatDiagnostics(problems, {
        getCanonicalFileName: (name) => name,
        getCurrentDirectory: () => repoRoot,
        getNewLine: () => '\n',
      }),
    );
  }
  for (const source of program.getSourceFiles()) {
    if (source.isDeclarationFile) continue;
    const relative = path.relative(path.join(repoRoot, 'src'), source.fileName).replace(/\.ts$/, '.d.ts');
    const file = path.join(VIRTUAL, relative);
    const text = files.get(file);
    if (text !== undefined) files.set(file, plainTypes(source, program.getTypeChecker(), text));
  }
  return files;
}

/** Resolves and loads the in-memory files as if they were on disk. */
function inMemory(files: ReadonlyMap<string, string>) {
  return {
    name: 'in-memory',
    resolveId(id: string, importer: string | undefined): string | null {
      const base = importer === undefined ? id : path.resolve(path.dirname(importer), id);
      return [base, `${base}.d.ts`, path.join(base, 'index.d.ts')].find((one) => files.has(one)) ?? null;
    },
    load: (id: string): string | null => files.get(id) ?? null,
  };
}

async function main(): Promise<void> {
  const input = path.join(VIRTUAL, 'library', 'index.d.ts');
  const bundle = await rollup({
    input,
    plugins: [inMemory(emitted()), dts()],
    external: [/^node:/, /\/base\/zod$/],
    onwarn: ({ message }) => {
      throw new Error(message);
    },
  });
  const { output } = await bundle.generate({ format: 'es' });
  await bundle.close();
  const code = withoutZod(output[0].code);
  const outside = [...code.matchAll(/^import .* from '(?!node:)(.*)';$/gm)].map(([, name]) => name);
  if (outside.length > 0) {
    const line = code.split('\n').find((one) => /\bz\./.test(one)) ?? '';
    throw new Error(`dist/index.d.ts would need ${outside.join(', ')}: ${line.trim()}. Write that type out by hand.`);
  }
  rmSync(VIRTUAL, { recursive: true, force: true });
  const whole = `${code}${exportOfRest(code)}`;
  ts.sys.writeFile(OUT, whole);
  console.log(
    `${path.relative(repoRoot, OUT)}: ${whole.split('\n').length} lines, ${Math.round(whole.length / 1024)} KiB`,
  );
}

/** Replaces zod's type for JSON values with Cairn's, after which the import is no longer needed. */
function withoutZod(code: string): string {
  const plain = code.replaceAll('z.core.util.JSONType', 'JsonValue');
  return /\bz\.[A-Za-z]/.test(plain) ? plain : plain.replace(/^import \* as z from '[./]*base\/zod';\n/m, '');
}

/** Exports everything that public types refer to, so that programs can name it too. */
function exportOfRest(code: string): string {
  const exported = new Set([...code.matchAll(/^export .*$/gm)].flatMap(([line]) => line.match(/[\w$]+/g) ?? []));
  const declared = [...code.matchAll(/^(?:declare (?:abstract )?class|interface|type) ([\w$]+)/gm)].map(
    ([, name = '']) => name,
  );
  const rest = declared.filter((name) => !exported.has(name) && !name.includes('$'));
  return `export type { ${rest.sort().join(', ')} };\n`;
}

await main();
