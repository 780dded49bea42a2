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
        latest: z.object({ takenAt: timestamp, bytes: z.int() }).nullable(),
        restoreProvenAt: timestamp
          .nullable()
          .describe('When a backup was last restored in a test and verified.'),
        restoreFailedAt: timestamp
          .nullable()
          .describe('When the last restore test failed or could not be done; null if it succeeded.'),
        keptForDamage: z
          .array(timestamp)
          .describe(
            'When older backups were made that are retained because they hold files that are damaged now.',
          ),
      }),
    },
  }),
};
