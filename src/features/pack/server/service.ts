import type { Clock } from '../../../platform/server/clock.ts';
import type { Caller } from '../../../platform/server/sessions.ts';
import type { MelodiesService } from '../../melodies/server/service.ts';
import { LEASE_DAYS } from '../limits.ts';

export type PackService = ReturnType<typeof packService>;

const LEASE_MS = LEASE_DAYS * 24 * 60 * 60 * 1000;

export const packService = ({ melodies, clock }: { melodies: MelodiesService; clock: Clock }) => ({
  /** Those of the melodies that the caller may keep on a device now, and until when without asking again. */
  async manifest(caller: Pick<Caller, 'id' | 'role'>, ids: readonly number[]) {
    const at = clock();
    const until = new Date(at.getTime() + LEASE_MS);
    const found = await melodies.keepable(caller, ids);
    return {
      at,
      until,
      melodies: found.map(({ id, version, files }) => ({
        id,
        version,
        files: files.map(({ name, contentType, size, sha256 }) => {
          const type = contentType.startsWith('image/') ? ('image' as const) : ('audio' as const);
          return { name, type, contentType, size, sha256 };
        }),
      })),
    };
  },
});
