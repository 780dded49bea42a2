import type { SoundCopy } from '#shared/media.ts';

/** Returns the URL of an audio file on the server, or of one of its copies. */
export const buildSoundUrl = (name: string, copy: SoundCopy | null) =>
  `/api/files/${encodeURIComponent(name)}?type=audio${copy === null ? '' : `&copy=${copy}`}`;
