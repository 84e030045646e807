import type { Script } from 'node:vm';

// Importing these would make Node enumerate all their exports, which takes longer than everything else here.
const { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = process.getBuiltinModule('node:fs');
const { isAscii } = process.getBuiltinModule('node:buffer');
const { createRequire } = process.getBuiltinModule('node:module');
const path = process.getBuiltinModule('node:path');
const vm = process.getBuiltinModule('node:vm');

/** A file that has been run. */
interface Ran {
  script: Script;
  store: string;
  key: string;
  /** CPU time of the run that saved the compiled code; undefined if there was none. */
  keptAfterMs: number | undefined;
}

interface Kept {
  data: Buffer;
  cpuMs: number;
}

/** A run that used this many times the CPU time of the one that saved the code has compiled functions that the other never reached. */
const MUCH_MORE = 1.5;
/** By then V8 has flushed the code it compiled for startup, which the next start needs most. */
const TOO_LONG_MS = 5000;

const BEFORE = Buffer.from('(function (exports, require, module, __filename, __dirname) {');
const AFTER = Buffer.from('\n})');

/**
 * Returns the text of a file as a function expression, and how many characters were prepended: none if the file already is one.
 * Joins buffers, because concatenating strings leaves copies until the next full garbage collection.
 */
function functionIn(file: Buffer): { text: string; added: number } {
  const isFunction = file.subarray(0, BEFORE.length).equals(BEFORE);
  const whole = isFunction ? file : Buffer.concat([BEFORE, file, AFTER]);
  const text = isAscii(whole) ? whole.toString('latin1') : whole.toString('utf8');
  return { text, added: isFunction ? 0 : BEFORE.length };
}

/**
 * Runs bundles and caches V8's compiled code, so that the next start need not compile them again. Node can do that itself from
 * version 22, but starting then takes at least a quarter longer (test/bench/RESULTS.md). Cached code belongs to one version of a
 * file and one of V8, both of which are checked. A cache that cannot be read or written only costs time.
 */
export class CodeCache {
  private readonly ran: Ran[] = [];
  private readonly modules = new Map<string, { exports: unknown }>();

  constructor(private readonly folder: string) {}

  /** Returns the exports of the CommonJS bundle at an absolute path. Its imports of `./name.js` run the same way. */
  run(bundle: string): unknown {
    return this.loaded(path.resolve(bundle));
  }

  private loaded(file: string): unknown {
    const known = this.modules.get(file);
    if (known) return known.exports;
    const { script, ...rest } = this.compile(file);
    this.ran.push({ script, ...rest });
    const module: { exports: unknown } = { exports: {} };
    // Registered first, so that modules loaded before the file ends see its exports so far.
    this.modules.set(file, module);
    const folder = path.dirname(file);
    let ofNode: NodeJS.Require | undefined;
    const load = (name: string): unknown =>
      name.startsWith('./')
        ? this.loaded(`${folder}${path.sep}${name.slice(2)}`)
        : (ofNode ??= createRequire(file))(name);
    const evaluate: unknown = script.runInThisContext();
    if (typeof evaluate !== 'function') throw new Error(`${file} is no bundle.`);
    Reflect.apply(evaluate, module.exports, [module.exports, load, module, file, folder]);
    return module.exports;
  }

  /**
   * Saves the compiled code of each file if none was cached, or if this run used much more CPU time than the one that saved it;
   * that includes code compiled during the run. Never throws.
   */
  save(usedMs = 0): void {
    const kept = this.worthKeeping(usedMs);
    if (process.env['NODE_DISABLE_COMPILE_CACHE'] || kept.length === 0) return;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      for (const { script, store, key } of kept) {
        writeWhole(store, Buffer.concat([Buffer.from(`${key}${usedMs}\n`), script.createCachedData()]));
      }
    } catch {
      // A full disk or a read-only folder only makes the next start slower.
    }
  }

  private worthKeeping(usedMs: number): Ran[] {
    const hasMore = (keptAfterMs: number) => usedMs < TOO_LONG_MS && usedMs > keptAfterMs * MUCH_MORE;
    return this.ran.filter(({ keptAfterMs }) => keptAfterMs === undefined || hasMore(keptAfterMs));
  }

  private compile(file: string): Ran {
    const { size, mtimeMs, ctimeMs, ino } = statSync(file);
    const key = `${[process.version, process.arch, process.versions.v8, file, size, mtimeMs, ctimeMs, ino].join(' ')}\n`;
    const store = path.join(this.folder, `${nameOf(`${process.versions.v8} ${process.arch} ${file}`)}.bin`);
    const kept = this.read(store, key);
    const { text, added } = functionIn(readFileSync(file));
    const script = new vm.Script(text, {
      filename: file,
      columnOffset: -added,
      ...(kept && { cachedData: kept.data }),
    });
    return { script, store, key, keptAfterMs: script.cachedDataRejected === true ? undefined : kept?.cpuMs };
  }

  private read(store: string, key: string): Kept | undefined {
    if (process.env['NODE_DISABLE_COMPILE_CACHE']) return undefined;
    try {
      const bytes = readFileSync(store);
      const start = Buffer.byteLength(key);
      const end = bytes.indexOf('\n', start);
      if (end < 0 || bytes.toString('utf8', 0, start) !== key) return undefined;
      return { data: bytes.subarray(end + 1), cpuMs: Number(bytes.toString('utf8', start, end)) };
    } catch {
      return undefined;
    }
  }
}

/** Writes to a temporary file first, so that no reader sees a partial file. Throws file system errors, leaving nothing behind. */
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

/** Returns a short hash of the text. Not for secrets. */
function nameOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const character of text)
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return hash.toString(36);
}
