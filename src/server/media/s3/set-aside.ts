import { SET_ASIDE_DAY_PATTERN } from '../layout.ts';
import type { S3Objects } from './objects.ts';
import type { SetAsideFiles } from '../store.ts';

const MAX_CONCURRENT_COPIES = 8;

/**
 * Manages the files that were set aside because they have no row. Each day has its own folder, and an empty
 * object with the folder's key marks the day as begun. Copies a file into the folder before deleting the
 * original. After a restore, the copy stays until its day is deleted, because another process may be about to
 * delete the restored file.
 */
export function createS3SetAsideFiles(
  folder: string,
  keyOf: (name: string) => string,
  objects: S3Objects,
): SetAsideFiles & {
  /** Removes the set-aside copies of a file permanently. A no-op if there are none. */
  remove(name: string): Promise<void>;
} {
  async function* files() {
    for await (const { key } of objects.list(folder)) {
      const [day = '', name = '', ...more] = key.slice(folder.length).split('/');
      if (SET_ASIDE_DAY_PATTERN.test(day) && name !== '' && more.length === 0) yield { key, name };
    }
  }

  async function keysOf(wanted: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key, name } of files()) if (name === wanted) keys.push(key);
    return keys;
  }

  return {
    begin: (day) => objects.put(`${folder}${day}/`, Buffer.from('')),

    async days() {
      const folders = await objects.folders(folder);
      return folders
        .map((each) => each.slice(folder.length, -1))
        .filter((day) => SET_ASIDE_DAY_PATTERN.test(day))
        .sort();
    },

    async put(name, day) {
      if (!(await objects.copy(keyOf(name), `${folder}${day}/${name}`))) return false;
      await objects.remove(keyOf(name));
      return true;
    },

    async *list() {
      for await (const { name } of files()) yield name;
    },

    async restore(name) {
      if ((await objects.size(keyOf(name))) !== null) return false;
      for (const key of await keysOf(name)) if (await objects.copy(key, keyOf(name))) return true;
      return false;
    },

    async remove(name) {
      for (const key of await keysOf(name)) await objects.remove(key);
    },

    async deleteDay(day) {
      const begun = `${folder}${day}/`;
      let batch: Promise<void>[] = [];
      for await (const { key } of objects.list(begun)) {
        // Deletes the day's marker object last, so that a half-deleted day is still listed.
        if (key === begun) continue;
        batch.push(objects.remove(key));
        if (batch.length < MAX_CONCURRENT_COPIES) continue;
        await Promise.all(batch);
        batch = [];
      }
      await Promise.all(batch);
      await objects.remove(begun);
    },
  };
}
