import { rm } from 'node:fs/promises';
import {
  createDamagedInstallationIdError,
  InstallationMismatchError,
} from '#server/data-folder/installation-mismatch-error.ts';
import type { Log } from '#server/log.ts';
import {
  SET_ASIDE_FOLDER,
  INSTALLATION_FILE,
  isInstallationId,
  isMediaFileName,
  getMediaFilePath,
} from '../layout.ts';
import { createS3SetAsideFiles } from './set-aside.ts';
import { createBucketMissingError } from './failure.ts';
import { DEFAULT_S3_TIMEOUTS, openS3Objects } from './objects.ts';
import { describeS3Store, type S3Settings } from './settings.ts';
import type { MediaStore } from '../store.ts';

/** Maximum length of an installation's id in bytes, including its line break. */
const MAX_ID_BYTES = 64;

/**
 * Maximum number of files to transfer concurrently: enough to hide the latency of each request, but few
 * enough to leave most connections to listeners.
 */
const MAX_CONCURRENT_FILES = 16;

/** Time for which a successful write proves that the store is writable. */
const WRITABLE_CACHE_MS = 60_000;

/** Tolerance for rounding. The store's clock and the times in listings are both in whole seconds. */
const CLOCK_TOLERANCE_MS = 2_000;

/**
 * Opens a media store in S3-compatible storage, with the same paths as in a folder on disk, so that media can
 * be moved by a plain copy. The storage must be strongly consistent and support `If-None-Match: *`.
 */
export function openS3Store(settings: S3Settings, log: Log, limits = DEFAULT_S3_TIMEOUTS): MediaStore {
  const { prefix } = settings;
  const objects = openS3Objects(settings, log, limits);
  const keyOf = (name: string) => `${prefix}${getMediaFilePath(name)}`;
  const aside = createS3SetAsideFiles(`${prefix}${SET_ASIDE_FOLDER}/`, keyOf, objects);
  /** Installation id that the bucket must contain; null until claimed. */
  let ours: string | null = null;
  let isExchanged = false;
  let writtenAt = -Infinity;

  async function installationId(): Promise<string | null> {
    const key = `${prefix}${INSTALLATION_FILE}`;
    const found = await objects.read(key, { start: 0, end: MAX_ID_BYTES });
    if (!found) return null;
    const id = found.bytes.toString('utf8').trim();
    if (isInstallationId(id)) return id;
    throw createDamagedInstallationIdError(`The object ${key} in ${describeS3Store(settings)}`);
  }

  /**
   * Checks that the bucket still contains our id, if it has been claimed. Logs when that changes.
   * @throws AppError 'unavailable' if the bucket was emptied or replaced
   */
  async function assertOwnBucket() {
    if (ours === null) return;
    const isOurs = (await installationId().catch(nullIfDamaged)) === ours;
    if (!isOurs && !isExchanged) log.error({ store: describeS3Store(settings) }, BUCKET_REPLACED);
    if (isOurs && isExchanged) log.warn({ store: describeS3Store(settings) }, 'the bucket is back');
    isExchanged = !isOurs;
    if (!isOurs) throw createBucketMissingError(describeS3Store(settings), BUCKET_REPLACED);
  }

  /**
   * Accesses a file. If it is missing, checks that the bucket wasn't replaced, restores the file if it was
   * set aside, and tries again.
   * @returns null if there is no such file
   */
  async function withRestoredFile<T>(
    name: string,
    access: (key: string) => Promise<T | null>,
  ): Promise<T | null> {
    const found = await access(keyOf(name));
    if (found) return found;
    await assertOwnBucket();
    // Ignores the result, because a concurrent request may already have restored the file.
    await aside.restore(name);
    return access(keyOf(name));
  }

  return {
    maxConcurrent: MAX_CONCURRENT_FILES,
    installationId,

    async claim(id) {
      const claimOnce = () => objects.putIfNone(`${prefix}${INSTALLATION_FILE}`, Buffer.from(`${id}\n`));
      if ((await installationId()) === null && (await claimOnce()) && (await claimOnce()))
        log.warn({ store: describeS3Store(settings) }, CONDITIONS_IGNORED);
      ours = id;
    },

    async unclaim() {
      ours = null;
      await objects.remove(`${prefix}${INSTALLATION_FILE}`);
    },

    async publish(stagedPath, name) {
      await objects.putFile(keyOf(name), stagedPath);
      // Checks the bucket after the upload. Otherwise, if it was replaced, the file would be acknowledged but
      // missing after a restart.
      await assertOwnBucket();
      writtenAt = performance.now();
      await rm(stagedPath, { force: true });
    },

    open: (name, range) => withRestoredFile(name, (key) => objects.get(key, range)),

    read: (name, range) => withRestoredFile(name, (key) => objects.read(key, range)),

    signedUrl: (name, answer) => objects.signedUrl(keyOf(name), answer),

    digest: (name, signal) => withRestoredFile(name, (key) => objects.digest(key, signal)),

    async sizeOf(name) {
      const size = await objects.size(keyOf(name));
      if (size === null) await assertOwnBucket();
      return size;
    },

    async remove(name) {
      await objects.remove(keyOf(name));
      await aside.remove(name);
    },

    async *list() {
      await assertOwnBucket();
      for await (const { key, size, modifiedAt } of objects.list(prefix)) {
        const name = key.slice(key.lastIndexOf('/') + 1);
        // Skips other objects in the bucket, which don't belong to us.
        if (isMediaFileName(name) && key === keyOf(name))
          yield { name, size, publishedAt: new Date(modifiedAt.getTime() + CLOCK_TOLERANCE_MS) };
      }
    },

    aside,

    async check() {
      await assertOwnBucket();
      if (performance.now() - writtenAt < WRITABLE_CACHE_MS) return;
      await objects.put(`${prefix}writable`, Buffer.from(''));
      writtenAt = performance.now();
    },
  };
}

const BUCKET_REPLACED =
  'the bucket no longer contains the id of this installation: it was emptied or replaced; no file is accepted until the id is back';

const CONDITIONS_IGNORED =
  'this S3 store ignores If-None-Match: nothing would keep two installations from claiming it at the same moment';

function nullIfDamaged(error: unknown): null {
  if (error instanceof InstallationMismatchError) return null;
  throw error;
}
