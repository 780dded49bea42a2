import type { MediaStore } from '#server/media/store.ts';
import { pathOf } from '#server/media/layout.ts';
import type { Settings } from '#server/config/settings.ts';

/** How long a signed address is good for, in seconds: whoever has it needs no right. */
export const SIGNED_SECONDS = 60;

/** The response that lets somebody else send a file. */
export type HandOver = (file: {
  name: string;
  contentType: string;
}) => Promise<{ status: 200 | 302; headers: Record<string, string> }>;

/**
 * By the settings: the proxy in front sends sound from the media folder, or the browser fetches it from the S3 store.
 * @returns null when this program sends it
 */
export function handOverBy(
  { mediaAccel, mediaRedirect }: Pick<Settings, 'mediaAccel' | 'mediaRedirect'>,
  { signedUrl }: Pick<MediaStore, 'signedUrl'>,
): HandOver | null {
  if (mediaAccel !== null)
    return ({ name }) =>
      Promise.resolve({ status: 200, headers: { 'x-accel-redirect': `${mediaAccel}/${pathOf(name)}` } });
  if (mediaRedirect === null || !signedUrl) return null;
  return async ({ name, contentType }) => ({
    status: 302,
    headers: {
      location: await signedUrl(name, { contentType, seconds: SIGNED_SECONDS }),
      'cache-control': 'private, no-store',
    },
  });
}

/** The origin that pages must be allowed to fetch sound from, besides ours; null if there is none. */
export async function soundOrigin(
  { mediaRedirect }: Pick<Settings, 'mediaRedirect'>,
  { signedUrl }: Pick<MediaStore, 'signedUrl'>,
): Promise<string | null> {
  if (mediaRedirect === null || !signedUrl) return null;
  return new URL(await signedUrl('any', { contentType: 'audio/wav', seconds: 1 })).origin;
}
