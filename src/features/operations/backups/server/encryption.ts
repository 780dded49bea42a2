import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  Decrypter,
  Encrypter,
  generateX25519Identity,
  type Identity,
  identityToRecipient,
  type Recipient,
  Stanza,
} from 'age-encryption';
import { fsyncFolder } from '#server/data-folder/fsync-folder.ts';
import { InvalidBackupError } from './invalid-backup-error.ts';

// Backups are encrypted in the format of age (https://age-encryption.org/v1), so that they can be opened without
// this program. A complete backup is encrypted with the passphrase. Nightly backups and their media are encrypted
// with a key, because deriving a key from a passphrase takes a second for each file. Only the key is encrypted
// with the passphrase.

const KEY_FILE = 'key.age';

/** Suffix of the names of encrypted files in BACKUP_DIR. */
export const ENCRYPTED_SUFFIX = '.age';

export type Encryption = {
  encrypt(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Returns the size of an encrypted file. */
  getEncryptedSize(size: number): number;
};

/** Encrypts a file so that it can be opened with the passphrase alone. */
export const encryptWithPassphrase = (passphrase: string) =>
  createEncryption(createPassphraseRecipient(passphrase));

async function createEncryption(recipient: string | Recipient): Promise<Encryption> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const { size } = await encrypter.encrypt(ReadableStream.from<Uint8Array>([]));
  return {
    async *encrypt(content) {
      yield* await encrypter.encrypt(ReadableStream.from(content));
    },
    getEncryptedSize: size,
  };
}

export type BackupKeys = ReturnType<typeof createBackupKeys>;

/**
 * Creates the keys that a passphrase opens. Each key file is opened only once.
 * @param passphrase null if there is none
 */
export function createBackupKeys(passphrase: string | null) {
  const keys = new Map<string, Promise<string>>();

  /** Caches the key of a folder. */
  function cacheKey(folder: string, open: (path: string) => Promise<string>): Promise<string> {
    const key = keys.get(folder) ?? open(join(folder, KEY_FILE));
    keys.set(folder, key);
    return key;
  }

  return {
    /**
     * Opens the key of a folder, and creates it if there is none. Returns null without a passphrase.
     * @param hasEncryptedFiles whether the folder contains files that were encrypted with its key
     * @throws InvalidBackupError if the passphrase is wrong, or the key of encrypted files is missing
     */
    async openFolder(folder: string, hasEncryptedFiles: boolean): Promise<Encryption | null> {
      if (passphrase === null) return null;
      const openOrCreate = (path: string) =>
        openKeyFile(path, passphrase).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
          // A new key could not open the files that are already there.
          if (hasEncryptedFiles) throw createMissingKeyError(path);
          return createKeyFile(path, passphrase);
        });
      return createEncryption(await identityToRecipient(await cacheKey(folder, openOrCreate)));
    },

    /**
     * Reads a file, and decrypts it if it is encrypted.
     * @param keyFolder folder of the key
     * @throws InvalidBackupError if there is no key, no passphrase or a wrong one; a system error if the file
     * can't be read; another Error if the file is damaged
     */
    async *read(path: string, keyFolder = dirname(path)): AsyncGenerator<Uint8Array> {
      const kind = await getEncryptionKind(path);
      const decrypter = new Decrypter();
      if (kind === 'passphrase') decrypter.addIdentity(createPassphraseIdentity(path, passphrase));
      if (kind === 'key')
        decrypter.addIdentity(
          await cacheKey(keyFolder, (keyPath) => openKeyFile(keyPath, passphrase)).catch(throwMissingKey),
        );
      const content = createReadStream(path);
      try {
        yield* kind === null
          ? (content as AsyncIterable<Uint8Array>)
          : await decrypter.decrypt(ReadableStream.from<Uint8Array>(content));
      } finally {
        content.destroy();
      }
    },
  };
}

function throwMissingKey(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' && error.path !== undefined ? createMissingKeyError(error.path) : error;
}

const createMissingKeyError = (path: string) =>
  new InvalidBackupError(
    `${path}, the key of the encrypted backups in this folder, is missing. Put it back, or move these backups elsewhere.`,
  );

const AGE_HEADER = 'age-encryption.org/v1\n-> ';
const PASSPHRASE_STANZA = 'scrypt';

/** Returns what a file was encrypted with; null if it is not encrypted. */
async function getEncryptionKind(path: string): Promise<'passphrase' | 'key' | null> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
  const start = buffer.toString('latin1', 0, bytesRead);
  if (!start.startsWith(AGE_HEADER)) return null;
  return start.startsWith(`${PASSPHRASE_STANZA} `, AGE_HEADER.length) ? 'passphrase' : 'key';
}

async function openKeyFile(path: string, passphrase: string | null): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(createPassphraseIdentity(path, passphrase));
  const content = await decrypter.decrypt(await readFile(path), 'text');
  const key = /^AGE-SECRET-KEY-1\w+$/m.exec(content)?.[0];
  if (key === undefined) throw new InvalidBackupError(`${path} contains no key.`);
  return key;
}

/** Creates a key. The file has its final name only when it is complete. */
async function createKeyFile(path: string, passphrase: string): Promise<string> {
  const key = await generateX25519Identity();
  const encrypter = new Encrypter();
  encrypter.addRecipient(createPassphraseRecipient(passphrase));
  const unfinished = `${path}.part`;
  await using file = await open(unfinished, 'w', 0o600);
  await file.writeFile(await encrypter.encrypt(`${key}\n`));
  await file.sync();
  await rename(unfinished, path);
  await fsyncFolder(dirname(path));
  return key;
}

// The library derives keys from passphrases in the main thread, which would block the server for a second.
// Therefore, this is done with Node's scrypt, which uses another thread.

/** Logarithm of the work factor: age's default, which needs 256 MB. */
const WORK_FACTOR = 18;
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
const CIPHER = 'chacha20-poly1305';
const TAG_BYTES = 16;
const NONCE = Buffer.alloc(12);

async function deriveKey(passphrase: string, salt: Buffer, workFactor: number): Promise<Buffer> {
  const options = { N: 2 ** workFactor, r: 8, p: 1, maxmem: MAX_MEMORY_BYTES };
  const label = Buffer.from('age-encryption.org/v1/scrypt');
  return scryptAsync(passphrase, Buffer.concat([label, salt]), 32, options);
}

const scryptAsync = promisify<string, Buffer, number, object, Buffer>(scrypt);

const createPassphraseRecipient = (passphrase: string): Recipient => ({
  async wrapFileKey(fileKey) {
    const salt = randomBytes(16);
    const key = await deriveKey(passphrase, salt, WORK_FACTOR);
    const cipher = createCipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
    const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
    const args = [PASSPHRASE_STANZA, salt.toString('base64').replace(/=+$/, ''), String(WORK_FACTOR)];
    return [new Stanza(args, body)];
  },
});

const createPassphraseIdentity = (path: string, passphrase: string | null): Identity => ({
  async unwrapFileKey(stanzas) {
    const [stanza] = stanzas;
    const [kind, salt = '', workFactor] = stanza?.args ?? [];
    if (!stanza || kind !== PASSPHRASE_STANZA) return null;
    if (passphrase === null)
      throw new InvalidBackupError(
        `${path} is encrypted. Set BACKUP_PASSPHRASE to the passphrase it was encrypted with.`,
      );
    const key = await deriveKey(passphrase, Buffer.from(salt, 'base64'), Number(workFactor));
    const decipher = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(stanza.body.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(stanza.body.subarray(0, -TAG_BYTES)), decipher.final()]);
    } catch {
      throw new InvalidBackupError(
        `BACKUP_PASSPHRASE is not the passphrase that ${path} was encrypted with.`,
      );
    }
  },
});
