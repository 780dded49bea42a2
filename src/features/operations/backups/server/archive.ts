import { createHash } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract, pack } from 'tar-stream';
import { z } from 'zod';
import { fsyncFolder } from '#server/data-folder/fsync-folder.ts';
import { type BackupKeys, createBackupKeys, ENCRYPTED_SUFFIX, type Encryption } from './encryption.ts';
import { InvalidBackupError, NOTHING_CHANGED_MESSAGE } from './invalid-backup-error.ts';

/**
 * Names of the first and the last entry of an archive. The first identifies the format. The last is the
 * manifest; without it, an archive is incomplete. The entries between them are `rows/<table>/<number>`,
 * `outbox/<name>` and `media/<name>`, in this order.
 */
const HEAD_ENTRY = 'yangchen-backup.json';
const MANIFEST_ENTRY = 'manifest.json';

/** Format of an archive that contains its media. */
const COMPLETE_FORMAT = 1;
/** Format of an archive whose media are in the folder that the nightly backups share. */
const NIGHTLY_FORMAT = 2;

const mediaFile = z.object({ name: z.string(), size: z.int(), sha256: z.string() });
export type MediaFile = z.output<typeof mediaFile>;

const head = z.object({
  format: z.int(),
  /** Media files of a nightly backup, without those that were missing or damaged. */
  media: z.array(mediaFile).optional(),
  /** What is added to the names of these files in the folder that the backups share. */
  suffix: z.enum(['', ENCRYPTED_SUFFIX]).default(''),
});

const table = z.object({ name: z.string(), columns: z.array(z.string()) });

const backupInfo = z.object({
  createdAt: z.iso.datetime(),
  /**
   * Creation time of the database's newest migration, in milliseconds since 1970. drizzle identifies migrations
   * by this time.
   */
  migration: z.number(),
  /** Tables, each after the tables that it references. */
  tables: z.array(table),
  /** Last value of each sequence; null for a sequence that has never been used. */
  sequences: z.array(z.object({ name: z.string(), last: z.string().nullable() })),
  /** Names of files that the database lists but that were missing, or differed from what was received. */
  damaged: z.array(z.string()),
});
export type BackupInfo = z.output<typeof backupInfo>;
export type BackupTable = z.output<typeof table>;

const manifest = backupInfo.extend({
  entries: z.array(z.object({ name: z.string(), size: z.int(), sha256: z.string() })),
});
type Manifest = z.output<typeof manifest>;

/** Media that a nightly backup shares with others. Each file's copy has its name and the suffix. */
export type SharedMedia = { files: MediaFile[]; suffix: string };

/** `sharedMedia` is null if the archive contains its media. */
export type VerifiedArchive = Manifest & { sharedMedia: SharedMedia | null };

/** By default, only backups that are not encrypted can be read. */
export type ReadOptions = { keys?: BackupKeys; signal?: AbortSignal };

export type BackupArchiveWriter = {
  /**
   * Adds an entry.
   * @returns the entry's SHA-256
   */
  add(name: string, size: number, content: Readable | Buffer): Promise<string>;
};

/**
 * Writes an archive. The file gets its final name once it is complete and flushed to disk. If writing fails,
 * no file remains.
 * @param sharedMedia media of a nightly backup, which the archive only lists
 * @throws a plain Error if the file, or an unfinished one (`.part`), already exists
 */
export async function writeBackupArchive(
  path: string,
  write: (archive: BackupArchiveWriter) => Promise<BackupInfo>,
  { sharedMedia, encryption }: { sharedMedia?: SharedMedia; encryption?: Encryption | null } = {},
): Promise<Manifest> {
  const unfinished = `${path}.part`;
  await assertNotExisting(path);
  await assertNotExisting(unfinished);
  const tar = pack();
  const entries: Manifest['entries'] = [];
  const file = await open(unfinished, 'wx', 0o600);
  const output = file.createWriteStream({ flush: true });
  const encrypt = (content: AsyncIterable<unknown>) =>
    encryption!.encrypt(content as AsyncIterable<Uint8Array>);
  const written = encryption ? pipeline(tar, encrypt, output) : pipeline(tar, output);
  // Awaited below. Until then, a full disk must not end the program as an unhandled rejection.
  written.catch(() => undefined);
  const add: BackupArchiveWriter['add'] = async (name, size, content) => {
    const hash = createHash('sha256');
    const hashed = async function* () {
      for await (const chunk of Buffer.isBuffer(content) ? [content] : (content as AsyncIterable<Buffer>)) {
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(hashed, tar.entry({ name, size }) as unknown as Writable);
    const sha256 = hash.digest('hex');
    entries.push({ name, size, sha256 });
    return sha256;
  };
  const addJson = (name: string, value: unknown) => {
    const content = Buffer.from(JSON.stringify(value));
    return add(name, content.length, content);
  };
  try {
    await addJson(
      HEAD_ENTRY,
      sharedMedia
        ? { format: NIGHTLY_FORMAT, media: sharedMedia.files, suffix: sharedMedia.suffix }
        : { format: COMPLETE_FORMAT },
    );
    const completeManifest = { ...(await write({ add })), entries: [...entries] };
    await addJson(MANIFEST_ENTRY, completeManifest);
    tar.finalize();
    await written;
    await assertNotExisting(path);
    await rename(unfinished, path);
    await fsyncFolder(dirname(path));
    return completeManifest;
  } catch (error) {
    tar.destroy(error instanceof Error ? error : new Error(String(error)));
    // If writing failed, `error` only says that the archive was closed.
    const cause = await written.then(
      () => error,
      (failure: unknown) => failure,
    );
    await rm(unfinished, { force: true });
    throw cause;
  }
}

async function assertNotExisting(path: string) {
  if (await stat(path).catch(() => null))
    throw new Error(
      `The file ${path} already exists. It may be another backup, or the rest of an interrupted one. It was not changed.`,
    );
}

const MEDIA_FOLDER = 'media/';

/** Returns whether an entry is a media file, as opposed to rows or an email. */
export const isMediaEntry = ({ name }: { name: string }) => name.startsWith(MEDIA_FOLDER);

export type BackupEntry = { name: string; content: Readable };

/**
 * Reads a whole archive and compares each entry with the manifest.
 * @throws InvalidBackupError with a message that explains the problem; a system error if reading fails; the
 * signal's reason if it aborts
 */
export async function verifyBackupArchive(path: string, options: ReadOptions = {}): Promise<VerifiedArchive> {
  const found: Manifest['entries'] = [];
  let sharedMedia: SharedMedia | null = null;
  let last: unknown = null;
  try {
    for await (const { name, content } of readBackupEntries(path, options)) {
      if (found.length === 0 && name !== HEAD_ENTRY) throw notABackup(path);
      const chunks: Buffer[] = [];
      const hash = createHash('sha256');
      let size = 0;
      for await (const chunk of content as AsyncIterable<Buffer>) {
        hash.update(chunk);
        size += chunk.length;
        if (name === HEAD_ENTRY || name === MANIFEST_ENTRY) chunks.push(chunk);
      }
      if (name === HEAD_ENTRY) sharedMedia = parseHead(path, Buffer.concat(chunks));
      if (name === MANIFEST_ENTRY) last = JSON.parse(Buffer.concat(chunks).toString());
      else found.push({ name, size, sha256: hash.digest('hex') });
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof InvalidBackupError) throw error;
    // Passes on system errors, such as a missing permission, because they don't mean that the backup is
    // damaged.
    if (error instanceof Error && 'errno' in error) throw error;
    throw found.length === 0 ? notABackup(path) : damagedBackup(path);
  }
  if (found.length === 0) throw notABackup(path);
  const parsed = manifest.safeParse(last);
  if (!parsed.success || JSON.stringify(parsed.data.entries) !== JSON.stringify(found))
    throw damagedBackup(path);
  return { ...parsed.data, sharedMedia };
}

/**
 * Returns the names of the media that a backup contains or lists, without those that were missing or damaged,
 * and of the copies that it shares with others. Reads as little as possible.
 * @throws an error if they can't be read
 */
export async function readBackupMedia(
  path: string,
  keys: BackupKeys,
): Promise<{ names: string[]; copies: string[] }> {
  const shared = await readHead(path, keys);
  if (shared) {
    const names = shared.files.map(({ name }) => name);
    return { names, copies: names.map((name) => `${name}${shared.suffix}`) };
  }
  const found = await readManifestAtEnd(path);
  if (!found) throw damagedBackup(path);
  const damaged = new Set(found.damaged);
  const names = found.entries.filter(isMediaEntry).map(({ name }) => name.slice(MEDIA_FOLDER.length));
  return { names: names.filter((name) => !damaged.has(name)), copies: [] };
}

async function readHead(path: string, keys: BackupKeys): Promise<SharedMedia | null> {
  for await (const { content } of readBackupEntries(path, { keys }))
    return parseHead(path, await buffer(content));
  throw notABackup(path);
}

/**
 * Number of bytes at the end of an archive that are searched for its manifest at first. If it isn't there, more
 * bytes are searched.
 */
const MANIFEST_WINDOW = 256 * 1024;
const TAR_BLOCK = 512;

/**
 * Reads only the manifest, from the end of the file.
 * @returns null if the file has none, or an invalid one
 */
async function readManifestAtEnd(path: string): Promise<Manifest | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    for (let length = MANIFEST_WINDOW; ; length *= 4) {
      const window = Buffer.alloc(Math.min(length, size));
      await file.read(window, 0, window.length, size - window.length);
      // Finds the manifest's name in the tar header, where a NUL byte follows it. Inside JSON, no NUL byte
      // follows it.
      const header = window.lastIndexOf(`${MANIFEST_ENTRY}\0`);
      if (header !== -1) {
        const start = header + TAR_BLOCK;
        const content = parseJson(window.subarray(start, window.indexOf(0, start)));
        return manifest.safeParse(content).data ?? null;
      }
      if (length >= size) return null;
    }
  } finally {
    await file.close();
  }
}

/** Yields the entries in order. The caller must read each entry's content before requesting the next entry. */
export async function* readBackupEntries(
  path: string,
  { keys = createBackupKeys(null), signal }: ReadOptions = {},
): AsyncGenerator<BackupEntry> {
  const tar = extract();
  const reading = pipeline(keys.read(path), tar, { signal });
  reading.catch(() => undefined);
  try {
    for await (const entry of tar) yield { name: entry.header.name, content: entry as unknown as Readable };
  } catch (error) {
    // Throws the reason why reading failed, if it did, instead of an error of the stream that this closed.
    await reading;
    throw error;
  }
  await reading;
}

const notABackup = (path: string) =>
  new InvalidBackupError(`${path} is not a backup of Yangchen. ${NOTHING_CHANGED_MESSAGE}`);
const damagedBackup = (path: string) =>
  new InvalidBackupError(
    `The backup ${path} is damaged or incomplete. Use another one. ${NOTHING_CHANGED_MESSAGE}`,
  );
export const createBackupTooNewError = (path: string) =>
  new InvalidBackupError(
    `The backup ${path} was made by a newer version of Yangchen. Restore it with that version. ${NOTHING_CHANGED_MESSAGE}`,
  );

/** Returns the shared media that a head lists; null if the archive contains its media. */
function parseHead(path: string, content: Buffer): SharedMedia | null {
  const parsed = head.safeParse(parseJson(content));
  if (!parsed.success) throw notABackup(path);
  const { format, media, suffix } = parsed.data;
  if (format > NIGHTLY_FORMAT) throw createBackupTooNewError(path);
  return media ? { files: media, suffix } : null;
}

function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch {
    return null;
  }
}
