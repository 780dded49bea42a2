import { rm } from 'node:fs/promises';
import { WrongPair } from '#server/data-folder/installation-mismatch-error.ts';
import type { Log } from '#server/log.ts';
import { ASIDE, INSTALLATION, isInstallationId, isName, pathOf } from '../layout.ts';
import { setAsideUnder } from './aside.ts';
import { bucketMissing } from './failure.ts';
import { LIMITS, openObjects } from './objects.ts';
import { nameOf, type S3Settings } from './settings.ts';
import type { MediaStore } from '../store.ts';

/** Upper bound for the length of an installation's id, which is one line. */
const ID_BYTES = 64;

/** How long a successful write proves that the store is writable. */
const WRITABLE_MS = 60_000;

/** Tolerance for times in lists and for the store's clock, which are in whole seconds. */
const ROUGHLY_MS = 2_000;

/**
 * Opens media in an S3-compatible store, with the same paths as in a folder on disk, so that moving is a plain copy.
 * The store must be strongly consistent and support `If-None-Match: *`.
 */
export function openS3Store(settings: S3Settings, log: Log, limits = LIMITS): MediaStore {
  const { prefix } = settings;
  const objects = openObjects(settings, log, limits);
  const keyOf = (name: string) => `${prefix}${pathOf(name)}`;
  const aside = setAsideUnder(`${prefix}${ASIDE}/`, keyOf, objects);
  /** Id that must be in the bucket, once it was claimed. */
  let ours: string | null = null;
  let isExchanged = false;
  let writtenAt = -Infinity;

  async function installationId(): Promise<string | null> {
    const key = `${prefix}${INSTALLATION}`;
    const found = await objects.read(key, { start: 0, end: ID_BYTES });
    if (!found) return null;
    const id = found.bytes.toString('utf8').trim();
    if (isInstallationId(id)) return id;
    throw new WrongPair(
      `The object ${key} in ${nameOf(settings)} is damaged. Restore or delete it: at the next start, Yangchen recognizes its files by their names.`,
    );
  }

  /** @throws AppError 'unavailable' if the bucket was emptied or replaced */
  async function mustBeOurs() {
    if (ours === null) return;
    const isOurs = (await installationId().catch(nullIfDamaged)) === ours;
    if (!isOurs && !isExchanged) log.error({ store: nameOf(settings) }, EXCHANGED);
    if (isOurs && isExchanged) log.warn({ store: nameOf(settings) }, 'the bucket is back');
    isExchanged = !isOurs;
    if (!isOurs) throw bucketMissing(nameOf(settings), EXCHANGED);
  }

  /** Accesses a file. A missing one may have been set aside, or the bucket may have been replaced. */
  async function orTakenBack<T>(name: string, access: (key: string) => Promise<T | null>): Promise<T | null> {
    const found = await access(keyOf(name));
    if (found) return found;
    await mustBeOurs();
    // A concurrent request may have restored it already.
    await aside.restore(name);
    return access(keyOf(name));
  }

  return {
    installationId,

    async claim(id) {
      const claimOnce = () => objects.putIfNone(`${prefix}${INSTALLATION}`, Buffer.from(`${id}\n`));
      if ((await installationId()) === null && (await claimOnce()) && (await claimOnce()))
        log.warn({ store: nameOf(settings) }, UNCONDITIONAL);
      ours = id;
    },

    async unclaim() {
      ours = null;
      await objects.remove(`${prefix}${INSTALLATION}`);
    },

    async publish(stagedPath, name) {
      await objects.putFile(keyOf(name), stagedPath);
      // If the bucket was replaced, the next start would not find an acknowledged file.
      await mustBeOurs();
      writtenAt = performance.now();
      await rm(stagedPath, { force: true });
    },

    open: (name, range) => orTakenBack(name, (key) => objects.get(key, range)),

    read: (name, range) => orTakenBack(name, (key) => objects.read(key, range)),

    signedUrl: (name, answer) => objects.signedUrl(keyOf(name), answer),

    digest: (name, signal) => orTakenBack(name, (key) => objects.digest(key, signal)),

    async sizeOf(name) {
      const size = await objects.size(keyOf(name));
      if (size === null) await mustBeOurs();
      return size;
    },

    async remove(name) {
      await objects.remove(keyOf(name));
      await aside.remove(name);
    },

    async *list() {
      await mustBeOurs();
      for await (const { key, size, modifiedAt } of objects.list(prefix)) {
        const name = key.slice(key.lastIndexOf('/') + 1);
        // Other objects in the bucket don't belong to us.
        if (isName(name) && key === keyOf(name))
          yield { name, size, publishedAt: new Date(modifiedAt.getTime() + ROUGHLY_MS) };
      }
    },

    aside,

    async check() {
      await mustBeOurs();
      if (performance.now() - writtenAt < WRITABLE_MS) return;
      await objects.put(`${prefix}writable`, Buffer.from(''));
      writtenAt = performance.now();
    },
  };
}

const EXCHANGED =
  'the bucket does not hold the id of this installation any more: it was emptied, or is another one; nothing is taken until it is back';

const UNCONDITIONAL =
  'this S3 store ignores If-None-Match: nothing would keep two installations from claiming it at the same moment';

function nullIfDamaged(error: unknown): null {
  if (error instanceof WrongPair) return null;
  throw error;
}
