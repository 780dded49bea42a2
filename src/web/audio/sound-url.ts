import type { SoundCopy } from '#shared/media.ts';

/** Returns the address of a sound on the server, or of a copy of it. */
export const buildSoundUrl = (name: string, copy: SoundCopy | null) =>
  `/api/files/${encodeURIComponent(name)}?type=audio${copy === null ? '' : `&copy=${copy}`}`;
