import { call } from '../../../platform/web/call.ts';
import { counted, useExport } from './use-export.ts';

/** For admins. */
export const useLibraryExport = () =>
  useExport('/api/admin/library/export', async () => {
    const { melodies, bytes } = await call('GET /api/admin/library/export/size');
    return { contents: melodies === 0 ? null : counted(melodies, 'melody', 'melodies'), bytes };
  });
