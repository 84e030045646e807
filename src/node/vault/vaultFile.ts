import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from '../../base/zod';
import { EngineError } from '../../engine';
import { errorCode, fileError } from '../fileError';
import { exclusively } from '../locks/exclusively';
import { writeAtomically } from '../writeAtomically';
import { seal, type Sealed, unseal } from './vaultCipher';

const FORMAT = 'cairn-vault';
const VERSION = 1;
const HEADER = `${FORMAT} ${VERSION}`;
/** Accessible only to the user. */
const MODE = 0o600;

const anyVersion = z.looseObject({ format: z.literal(FORMAT), version: z.int() });
const thisVersion = z.object({ salt: z.base64(), nonce: z.base64(), data: z.base64(), checksum: z.string() });
const contents = z.array(z.tuple([z.string(), z.string()]));

/** Caches the last read, because a process usually uses a single vault and reads it often. */
let last: { of: string; secrets: ReadonlyMap<string, string> } | undefined;

/**
 * Reads all secrets by name from the current file; empty if there is no vault. Throws EngineError `denied` if the key does not
 * open it, `damaged` if the file is not as Cairn wrote it, `invalid-state` if a newer version wrote it.
 */
export async function readVault(file: string, key: string): Promise<Map<string, string>> {
  const of = JSON.stringify([file, key, await stampOf(file)]);
  if (last?.of !== of) last = { of, secrets: (await opened(file, key))?.secrets ?? new Map() };
  return new Map(last.secrets);
}

interface OpenedVault {
  secrets: Map<string, string>;
  salt: Buffer;
}

/** Returns undefined if there is no vault. */
async function opened(file: string, key: string): Promise<OpenedVault | undefined> {
  const text = await textOf(file);
  if (text === undefined) return undefined;
  const sealed = sealedIn(text, file);
  const unsealed = await unseal(sealed, key, HEADER);
  if (unsealed === undefined) {
    throw new EngineError(
      'denied',
      `The key does not open the vault ${file}. Use the passphrase or key file that it was created with.`,
    );
  }
  const secrets = contents.safeParse(parsed(unsealed));
  if (!secrets.success) throw damaged(file);
  return { secrets: new Map(secrets.data), salt: sealed.salt };
}

/** Returns a stamp that changes whenever the file is written. */
async function stampOf(file: string): Promise<string | undefined> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found && `${found.ino} ${found.size} ${found.mtimeNs}`;
}

/** Changes the secrets while holding the lock. If `change` throws or the file cannot be read, the file stays unchanged. */
export async function changeVault(
  file: string,
  key: string,
  change: (secrets: Map<string, string>) => void,
): Promise<void> {
  try {
    mkdirSync(dirname(file), { recursive: true });
    await exclusively(`${file}.lock`, async () => {
      const { secrets, salt } = (await opened(file, key)) ?? { secrets: new Map<string, string>() };
      change(secrets);
      const sealed = await seal(JSON.stringify([...secrets]), key, HEADER, salt);
      await writeAtomically(file, Buffer.from(textFor(sealed)), MODE);
    });
  } catch (error) {
    throw fileError(error, file);
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw fileError(error, file);
  }
}

function textFor(sealed: Sealed): string {
  const [salt, nonce, data] = [sealed.salt, sealed.nonce, sealed.data].map((bytes) => bytes.toString('base64'));
  const checksum = checksumOf(sealed);
  return `${JSON.stringify({ format: FORMAT, version: VERSION, salt, nonce, data, checksum }, null, 2)}\n`;
}

function sealedIn(text: string, file: string): Sealed {
  const value = parsed(text);
  const known = anyVersion.safeParse(value);
  if (known.success && known.data.version > VERSION) {
    throw new EngineError(
      'invalid-state',
      `The vault ${file} was written by a newer version of Cairn (format ${known.data.version}; this one knows ${VERSION}). Update Cairn; the file was not changed.`,
    );
  }
  const found = thisVersion.safeParse(value);
  if (!known.success || known.data.version !== VERSION || !found.success) throw damaged(file);
  const { salt, nonce, data } = found.data;
  const sealed = { salt: decoded(salt), nonce: decoded(nonce), data: decoded(data) };
  // Distinguishes a truncated or altered file from a wrong key, which the cipher cannot.
  if (checksumOf(sealed) !== found.data.checksum) throw damaged(file);
  return sealed;
}

function decoded(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

function checksumOf({ salt, nonce, data }: Sealed): string {
  return createHash('sha256').update(HEADER).update(salt).update(nonce).update(data).digest('hex');
}

/** Parses JSON; undefined if it is invalid. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function damaged(file: string): EngineError {
  return new EngineError(
    'damaged',
    `The vault ${file} is damaged, so its secrets cannot be read. It was not changed: restore a copy, or move it away and add your secrets again.`,
  );
}
