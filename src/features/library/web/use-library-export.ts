import { call } from '#web/api/call.ts';
import { counted, useExport } from '#web/device/use-export.ts';

/** For admins. */
export const useLibraryExport = () =>
  useExport('/api/admin/library/export', async () => {
    const { melodies, bytes } = await call('GET /api/admin/library/export/size');
    return { contents: melodies === 0 ? null : counted(melodies, 'melody', 'melodies'), bytes };
  });
