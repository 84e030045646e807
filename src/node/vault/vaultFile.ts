import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from '../../base/zod';
import { EngineError } from '../../engine';
import { errorCode, fileError } from '../fileError';
import { exclusively } from '../locks/lockFile';
import { writeAtomically } from '../writeAtomically';

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
      await writeAtomically(file, Buffer.from(textFor(sealed)), { mode: MODE });
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

const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The cost of trying a passphrase: 128 MiB, and a few tenths of a second. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };

/** What is needed in addition to the key to decrypt a text. */
interface Sealed {
  salt: Buffer;
  nonce: Buffer;
  /** Ends with the authentication tag. */
  data: Buffer;
}

/**
 * Encrypts with AES-256-GCM, using a key that scrypt derives from the passphrase; `header` is authenticated but not encrypted.
 * Passing the salt of the previous text reuses its key: random nonces do not repeat within any realistic number of changes.
 */
async function seal(
  text: string,
  passphrase: string,
  header: string,
  salt: Buffer = randomBytes(SALT_BYTES),
): Promise<Sealed> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce);
  cipher.setAAD(Buffer.from(header, 'utf8'));
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { salt, nonce, data };
}

/** Decrypts a text; undefined if the passphrase is wrong or the data was changed. */
async function unseal({ salt, nonce, data }: Sealed, passphrase: string, header: string): Promise<string | undefined> {
  if (nonce.length !== NONCE_BYTES || data.length < TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(header, 'utf8')).setAuthTag(data.subarray(-TAG_BYTES));
  const text = decipher.update(data.subarray(0, -TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    // The tag does not match. Node gives no further details.
    return undefined;
  }
}

/** Caches the last key, because deriving one is slow. A process usually uses a single vault. */
let made: { of: string; key: Promise<Buffer> } | undefined;

function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  const of = `${salt.toString('hex')} ${passphrase}`;
  if (made?.of === of) return made.key;
  const key = newKey(passphrase, salt);
  made = { of, key };
  // Possibly out of memory. The caller gets the error.
  key.catch(() => (made = undefined));
  return key;
}

function newKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Different systems' keyboards produce different Unicode forms of the same text.
    scrypt(passphrase.normalize('NFC'), salt, KEY_BYTES, COST, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
