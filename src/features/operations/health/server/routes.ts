import { AppError } from '#shared/errors.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { FileChecks } from '#server/media/file-checks.ts';
import type { DiskSpaceMonitor } from '#server/media/disk-space.ts';
import { withTimeout } from '#server/concurrency/with-timeout.ts';
import type { healthApi } from '../contract.ts';
import type { HealthCheckResult } from './health-check.ts';

/**
 * Maximum time in ms by which the details for admins may delay a response, which otherwise takes at most two
 * seconds.
 */
const DETAIL_TIMEOUT_MS = 500;

type Check = () => Promise<HealthCheckResult>;

/**
 * Creates the health routes.
 * @param checks if the database is slow or a check fails, the server is not ready; if only the media store is
 * slow, the response contains a warning
 */
export const createHealthRoutes = (
  checks: { database: Check[]; media: Check },
  files: Pick<FileChecks, 'damaged'>,
  openApi: () => Record<string, unknown>,
  disk: Pick<DiskSpaceMonitor, 'isLow'>,
): Handlers<typeof healthApi> => ({
  alive: async () => ({ status: 200, body: { status: 'ok' } }),
  ready: async ({ caller }) => {
    const [media, ...database] = await Promise.all([
      checks.media(),
      ...checks.database.map((check) => check()),
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
  openApi: async () => ({ status: 200, body: openApi() }),
});
