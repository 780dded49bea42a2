import type { MediaStore } from '#server/media/store.ts';
import { getFilePath } from '#server/media/layout.ts';
import type { Settings } from '#server/config/settings.ts';

/** Lifetime of a signed address, in seconds. Short, because anyone who has the address can use it. */
export const SIGNED_URL_SECONDS = 60;

/** Creates the response that lets the proxy or the store send a file. */
export type DelegateFile = (file: {
  name: string;
  contentType: string;
}) => Promise<{ status: 200 | 302; headers: Record<string, string> }>;

/**
 * Selects, from the settings, who sends sound: the proxy in front from the media folder, or the S3 store directly to
 * the browser.
 * @returns null if this program sends it
 */
export function createFileDelegate(
  { mediaAccel, mediaRedirect }: Pick<Settings, 'mediaAccel' | 'mediaRedirect'>,
  { signedUrl }: Pick<MediaStore, 'signedUrl'>,
): DelegateFile | null {
  if (mediaAccel !== null)
    return ({ name }) =>
      Promise.resolve({ status: 200, headers: { 'x-accel-redirect': `${mediaAccel}/${getFilePath(name)}` } });
  if (mediaRedirect === null || !signedUrl) return null;
  return async ({ name, contentType }) => ({
    status: 302,
    headers: {
      location: await signedUrl(name, { contentType, seconds: SIGNED_URL_SECONDS }),
      'cache-control': 'private, no-store',
    },
  });
}

/** Returns the other origin that pages must be allowed to fetch sound from; null if there is none. */
export async function getSoundOrigin(
  { mediaRedirect }: Pick<Settings, 'mediaRedirect'>,
  { signedUrl }: Pick<MediaStore, 'signedUrl'>,
): Promise<string | null> {
  if (mediaRedirect === null || !signedUrl) return null;
  return new URL(await signedUrl('any', { contentType: 'audio/wav', seconds: 1 })).origin;
}
