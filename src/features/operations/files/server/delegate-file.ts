import type { MediaStore } from '#server/media/store.ts';
import { getMediaFilePath } from '#server/media/layout.ts';
import type { Settings } from '#server/config/settings.ts';

/** Lifetime of a signed URL, in seconds. It is short, because anyone who has the URL can use it. */
export const SIGNED_URL_TTL_SECONDS = 60;

/** Creates an empty response whose headers make the proxy or the store send the file. */
export type DelegateFile = (file: {
  name: string;
  contentType: string;
}) => Promise<{ status: 200 | 302; headers: Record<string, string> }>;

/**
 * Selects, according to the settings, who sends audio files: the reverse proxy from the media folder, or the S3
 * store directly to the browser.
 * @returns null if the program itself sends them
 */
export function createFileDelegate(
  { mediaAccel, mediaRedirect }: Pick<Settings, 'mediaAccel' | 'mediaRedirect'>,
  { signedUrl }: Pick<MediaStore, 'signedUrl'>,
): DelegateFile | null {
  if (mediaAccel !== null)
    return ({ name }) =>
      Promise.resolve({
        status: 200,
        headers: { 'x-accel-redirect': `${mediaAccel}/${getMediaFilePath(name)}` },
      });
  if (mediaRedirect === null || !signedUrl) return null;
  return async ({ name, contentType }) => ({
    status: 302,
    headers: {
      location: await signedUrl(name, { contentType, seconds: SIGNED_URL_TTL_SECONDS }),
      'cache-control': 'private, no-store',
    },
  });
}

/** Returns the origin of the store if pages must be allowed to fetch audio from it; otherwise null. */
export async function getMediaStoreOrigin(
  { mediaRedirect }: Pick<Settings, 'mediaRedirect'>,
  { signedUrl }: Pick<MediaStore, 'signedUrl'>,
): Promise<string | null> {
  if (mediaRedirect === null || !signedUrl) return null;
  return new URL(await signedUrl('any', { contentType: 'audio/wav', seconds: 1 })).origin;
}
