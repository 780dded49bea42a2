import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { time } from '#shared/shapes.ts';

export const backupsApi = {
  state: endpoint({
    method: 'GET',
    path: '/api/admin/backups',
    access: 'admin',
    summary: 'Whether a backup is taken each night, and the last one that was read back whole.',
    answers: {
      200: z.object({
        /** False if no process has `BACKUP_DIR`. */
        isNightly: z.boolean(),
        latest: z.object({ takenAt: time, bytes: z.int() }).nullable(),
        keptForDamage: z
          .array(time)
          .describe('When older backups were taken that are kept for files that are damaged by now.'),
      }),
    },
  }),
};
