import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';

const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The cost of trying a passphrase: 128 MiB, and a few tenths of a second. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };

/** What is needed in addition to the key to decrypt a text. */
export interface Sealed {
  salt: Buffer;
  nonce: Buffer;
  /** Ends with the authentication tag. */
  data: Buffer;
}

/**
 * Encrypts with AES-256-GCM, using a key that scrypt derives from the passphrase; `header` is authenticated but not encrypted.
 * Passing the salt of the previous text reuses its key: random nonces do not repeat within any realistic number of changes.
 */
export async function seal(
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
export async function unseal(
  { salt, nonce, data }: Sealed,
  passphrase: string,
  header: string,
): Promise<string | undefined> {
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
