import type { Script } from 'node:vm';

// An import of these would have Node list every name they export, which takes longer than all that is done here.
const { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = process.getBuiltinModule('node:fs');
const { createRequire } = process.getBuiltinModule('node:module');
const path = process.getBuiltinModule('node:path');
const vm = process.getBuiltinModule('node:vm');

/** A file that was run, and whether its compiled code was already there. */
interface Ran {
  script: Script;
  store: string;
  key: string;
  known: boolean;
}

const BEFORE = '(function (exports, require, module, __filename, __dirname) {';
const AFTER = '\n})';

/**
 * Runs bundles and keeps what V8 made of them, so that the next start does not compile them again. Node can do that by
 * itself from 22 on; this works in every version we run on, and for what the bundles load lazily. What is kept belongs to one version of
 * a file and one of V8, both of which are checked; a cache that cannot be read or written changes nothing but the time.
 */
export class CodeCache {
  private readonly ran: Ran[] = [];
  private readonly exports = new Map<string, unknown>();

  constructor(private readonly folder: string) {}

  /** What the CommonJS bundle exports; `./name.js` in it is run in the same way. Absolute path. */
  run(bundle: string): unknown {
    const file = path.resolve(bundle);
    if (this.exports.has(file)) return this.exports.get(file);
    const { script, ...rest } = this.compile(file);
    this.ran.push({ script, ...rest });
    const module = { exports: {} };
    this.exports.set(file, module.exports);
    const ofNode = createRequire(file);
    const folder = path.dirname(file);
    const load = (name: string): unknown => (name.startsWith('./') ? this.run(path.join(folder, name)) : ofNode(name));
    const evaluate: unknown = script.runInThisContext();
    if (typeof evaluate !== 'function') throw new Error(`${file} is no bundle.`);
    Reflect.apply(evaluate, module.exports, [module.exports, load, module, file, folder]);
    this.exports.set(file, module.exports);
    return module.exports;
  }

  /** Keeps what was compiled, when that was not all there: with it comes what was compiled while it ran. Never throws. */
  save(): void {
    if (process.env['NODE_DISABLE_COMPILE_CACHE'] || this.ran.every(({ known }) => known)) return;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      for (const { script, store, key } of this.ran) {
        writeWhole(store, Buffer.concat([Buffer.from(key), script.createCachedData()]));
      }
    } catch {
      // A full disk, or a folder that may not be written: the next start takes longer, and that is all.
    }
  }

  private compile(file: string): Ran {
    const { size, mtimeMs, ctimeMs, ino } = statSync(file);
    const key = `${[process.version, process.arch, process.versions.v8, file, size, mtimeMs, ctimeMs, ino].join(' ')}\n`;
    const store = path.join(this.folder, `${nameOf(`${process.versions.v8} ${process.arch} ${file}`)}.bin`);
    const cachedData = this.read(store, key);
    const source = `${BEFORE}${readFileSync(file, 'utf8')}${AFTER}`;
    const script = new vm.Script(source, {
      filename: file,
      columnOffset: -BEFORE.length,
      ...(cachedData && { cachedData }),
    });
    return { script, store, key, known: cachedData !== undefined && script.cachedDataRejected !== true };
  }

  private read(store: string, key: string): Buffer | undefined {
    if (process.env['NODE_DISABLE_COMPILE_CACHE']) return undefined;
    try {
      const bytes = readFileSync(store);
      const start = Buffer.byteLength(key);
      return bytes.toString('utf8', 0, start) === key ? bytes.subarray(start) : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Under another name first, so that nobody reads a part of it. Throws what the file system throws, and leaves nothing. */
function writeWhole(file: string, bytes: Uint8Array): void {
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, bytes, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Short and different for each text; not a secret. */
function nameOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const character of text)
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return hash.toString(36);
}
