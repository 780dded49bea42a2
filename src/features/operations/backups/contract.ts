import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { timestamp } from '#shared/schemas.ts';

export const backupsApi = {
  state: defineEndpoint({
    method: 'GET',
    path: '/api/admin/backups',
    access: 'admin',
    summary:
      'Whether a backup is made each night, the last one that was verified by reading it back, and the last restore test that succeeded.',
    answers: {
      200: z.object({
        /** True if `BACKUP_DIR` is set on at least one process. */
        isNightly: z.boolean(),
        isOverdue: z.boolean().describe('Whether the last nightly backup is more than two days old.'),
        latest: z
          .object({
            takenAt: timestamp,
            bytes: z
              .int()
              .describe('Size of the backup with all its files. Nightly backups share their files.'),
          })
          .nullable(),
        restoreProvenAt: timestamp
          .nullable()
          .describe('When a backup was last restored in a test and verified.'),
        restoreFailedAt: timestamp
          .nullable()
          .describe('When the last restore test failed or could not be done; null if it succeeded.'),
      }),
    },
  }),
};
