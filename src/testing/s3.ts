import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { openLog, type Log } from '#server/log.ts';
import type { S3Settings } from '#server/media/s3/settings.ts';
import { readSettings } from '#server/config/settings.ts';
import type { RawMediaStorage } from './raw-media-storage.ts';
import { toS3Environment, startS3, explainMissingCeph, type TestS3 } from './ceph.ts';

const quiet = openLog('silent');

/** Starts one real S3 store for all test files that need it. */
export default async function setup(project: TestProject) {
  const missing = explainMissingCeph();
  project.provide('s3Missing', missing);
  if (missing) return console.warn(`\nThe tests against an S3 store are skipped: ${missing}.\n`);
  const { s3, end } = await startS3();
  project.provide('s3', s3);
  return end;
}

/** Returns the settings that put media into this test run's S3 store; empty if the run has none. */
export function getS3TestEnvironment(prefix: string): NodeJS.ProcessEnv {
  const s3 = inject('s3') as TestS3 | undefined;
  return s3 ? { ...toS3Environment(s3), S3_PREFIX: prefix } : {};
}

/** Settings that put media on disk, even if this test run has an S3 store. */
export const DISK_MEDIA_ENVIRONMENT = {
  ...{ S3_ENDPOINT: '', S3_BUCKET: '', S3_PREFIX: '', S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '' },
};

declare module 'vitest' {
  interface ProvidedContext {
    s3: TestS3;
    /** Reason for skipping the tests that need S3; null if they run. */
    s3Missing: string | null;
  }
}

/** Opens the part of the store under the settings' prefix. */
export async function createRawS3Storage(settings: S3Settings, log: Log = quiet) {
  const { openS3Objects } = await import('#server/media/s3/objects.ts');
  const { openS3Store } = await import('#server/media/s3/store.ts');
  const objects = openS3Objects(settings, log);
  const keyOf = (path: string) => `${settings.prefix}${path}`;
  return {
    open: () => openS3Store(settings, log),
    async read(path) {
      const found = await objects.get(keyOf(path), { start: 0 });
      if (!found) throw new Error(`There is no ${path}`);
      return buffer(found.stream);
    },
    write: (path, content) => objects.put(keyOf(path), Buffer.from(content)),
    remove: (path) => objects.remove(keyOf(path)),
    async namesIn(folder) {
      const keys = (await Array.fromAsync(objects.list(keyOf(`${folder}/`)))).map(({ key }) => key);
      return keys.length > 0
        ? keys.map((key) => basename(key)).filter((name) => name !== basename(folder))
        : null;
    },
    /** Returns the paths of all objects, whatever their folder. */
    paths: async () =>
      (await Array.fromAsync(objects.list(settings.prefix))).map(({ key }) =>
        key.slice(settings.prefix.length),
      ),
  } satisfies RawMediaStorage & { paths(): Promise<string[]> };
}

/** Returns settings that put media under this prefix in the test run's S3 store. */
export const getS3Settings = (prefix: string, more: NodeJS.ProcessEnv = {}) =>
  readSettings({ ...getS3TestEnvironment(prefix), ...more }).s3!;
