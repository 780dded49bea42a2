import { AppError } from '#shared/errors.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { FileChecks } from '#server/media/file-checks.ts';
import type { DiskSpaceMonitor } from '#server/media/disk-space.ts';
import { programVersion } from '#server/config/project.ts';
import { withTimeout } from '#server/concurrency/with-timeout.ts';
import type { healthApi } from '../contract.ts';
import type { HealthCheck } from './health-check.ts';

/**
 * Maximum time in ms by which the details for admins may delay a response, which otherwise takes at most two
 * seconds.
 */
const DETAIL_TIMEOUT_MS = 500;

export type HealthChecks = {
  /** Runs a query. */
  databaseRead: HealthCheck;
  /** Commits a write. */
  databaseWrite: HealthCheck;
  media: HealthCheck;
};

/**
 * Creates the health routes.
 * @param checks if the database is slow or a check fails, the server is not ready; if only the media store is
 * slow, the response contains a warning
 */
export const createHealthRoutes = (
  checks: HealthChecks,
  files: Pick<FileChecks, 'damaged'>,
  openApi: () => Record<string, unknown>,
  disk: Pick<DiskSpaceMonitor, 'isLow' | 'size'>,
): Handlers<typeof healthApi> => ({
  alive: async () => ({ status: 200, body: { status: 'ok' } }),
  ready: async ({ caller }) => {
    const [media, ...database] = await Promise.all([
      checks.media.run(),
      checks.databaseRead.run(),
      checks.databaseWrite.run(),
    ]);
    if (media === 'failed' || database.some((result) => result !== 'ok'))
      throw new AppError('unavailable', 'Not ready');
    // Reports damaged files to admins only. They don't make the server unready.
    const damagedFiles =
      caller?.role === 'admin' && (await withTimeout(DETAIL_TIMEOUT_MS, files.damaged()).catch(() => null));
    // Returns warnings instead of 503. With a 503, a load balancer would remove a process in which people can
    // still read, listen and write.
    const warnings = [
      ...(disk.isLow() ? (['disk-low'] as const) : []),
      ...(media === 'slow' ? (['media-slow'] as const) : []),
    ];
    return {
      status: 200,
      body: {
        status: 'ready',
        ...(warnings.length > 0 && { warnings }),
        ...(damagedFiles && { detail: { damagedFiles } }),
      },
    };
  },
  status: async () => {
    const [write, media, { missing, changed }, space] = await Promise.all([
      checks.databaseWrite.run(),
      checks.media.run(),
      files.damaged(),
      withTimeout(DETAIL_TIMEOUT_MS, disk.size()).catch(() => null),
    ]);
    return {
      status: 200,
      body: {
        version: programVersion,
        database: { isWritable: write !== 'failed' },
        media: { state: media, damagedFiles: missing + changed },
        disk: space?.total ? { freeBytes: space.free, totalBytes: space.total, isLow: disk.isLow() } : null,
      },
    };
  },
  openApi: async () => ({ status: 200, body: openApi() }),
});
