import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';

const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** What it costs to try a passphrase: 128 MiB, and some tenths of a second. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };

/** What is needed beside the key to read a sealed text again. */
export interface Sealed {
  salt: Buffer;
  nonce: Buffer;
  /** With the tag at its end. */
  data: Buffer;
}

/**
 * Encrypts with AES-256-GCM under a key that scrypt makes of the passphrase; `header` is readable and cannot be changed. With the salt
 * of what was sealed before, its key is used again: of the random nonces, none comes twice in any number of changes that people make.
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

/** The text; undefined when the passphrase is another one, or somebody changed what was sealed. */
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
    // The tag does not fit, of which Node says no more.
    return undefined;
  }
}

/** The last one that was made, since one takes so long: a process has to do with one vault. */
let made: { of: string; key: Promise<Buffer> } | undefined;

function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  const of = `${salt.toString('hex')} ${passphrase}`;
  if (made?.of === of) return made.key;
  const key = newKey(passphrase, salt);
  made = { of, key };
  // For want of memory, perhaps; whoever asked is told.
  key.catch(() => (made = undefined));
  return key;
}

function newKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same words come in two forms from keyboards of different systems.
    scrypt(passphrase.normalize('NFC'), salt, KEY_BYTES, COST, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
