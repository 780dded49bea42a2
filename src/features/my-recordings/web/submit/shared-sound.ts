import { getCacheStorage } from '#web/offline/cache-storage.ts';
import { SHARED_SOUND_CACHE_NAME as CACHE } from '#web/offline/clear-device-data.ts';
import { readLastUser } from '#web/offline/last-user.ts';
import { recordingAudioSlot } from '#features/recordings/limits.ts';
import {
  SHARE_TARGET_FIELD,
  getShareOutcomePath,
  type ShareOutcome,
} from '#features/recordings/share-target.ts';

// Stores audio shared by another app, under the id of the user who was last signed in, until the submit page
// reads it. The other app keeps its own copy.

const SHARED_SOUND_KEY = '/shared-sound';
const NAME_HEADER = 'x-name';
const USER_HEADER = 'x-user';
const TIME_HEADER = 'x-time';

const EXPIRES_AFTER_MS = 15 * 60 * 1_000;

/**
 * Deletes audio shared before, and stores the new audio unless it is too large or nobody is signed in.
 * Returns a redirect to the submit page. Called by the service worker.
 */
export async function receiveSharedSound(request: Request): Promise<Response> {
  // If storing fails, the submit page finds no audio and reports that.
  const outcome = await storeSharedSound(request).catch(() => 'kept' as const);
  return Response.redirect(getShareOutcomePath(outcome), 303);
}

async function storeSharedSound(request: Request): Promise<ShareOutcome> {
  await deleteSharedSound();
  const sound = (await request.formData()).get(SHARE_TARGET_FIELD);
  if (!(sound instanceof File) || sound.size === 0) return 'kept';
  // Checks the size before storing, because a large file would take space that recordings need.
  if (sound.size >= recordingAudioSlot.tooLargeFrom) return 'too-large';
  const user = await readLastUser();
  // Without an owner, the next user who signs in would get the file.
  if (!user) return 'signed-out';
  const headers = {
    'content-type': sound.type,
    [NAME_HEADER]: encodeURIComponent(sound.name),
    [USER_HEADER]: user.id,
    [TIME_HEADER]: String(Date.now()),
  };
  const cache = await caches.open(CACHE);
  await cache.put(SHARED_SOUND_KEY, new Response(sound, { headers }));
  return 'kept';
}

/** Returns the shared audio; null if there is none for this user, or it can't be read. */
export async function readSharedSound(userId: string): Promise<File | null> {
  try {
    await deleteSharedSoundUnlessOwnedBy(userId);
    const kept = await findSharedSound();
    if (!kept) return null;
    const name = decodeURIComponent(kept.headers.get(NAME_HEADER) ?? '');
    return new File([await kept.blob()], name, { type: kept.headers.get('content-type') ?? '' });
  } catch {
    return null;
  }
}

/**
 * Deletes the shared audio if it has expired or is not this user's.
 * @param userId null if nobody is signed in
 */
export async function deleteSharedSoundUnlessOwnedBy(userId: string | null): Promise<void> {
  await deleteExpiredSharedSound();
  if ((await findSharedSound())?.headers.get(USER_HEADER) !== userId) await deleteSharedSound();
}

export async function deleteExpiredSharedSound(): Promise<void> {
  const kept = await findSharedSound();
  if (kept && isExpired(Number(kept.headers.get(TIME_HEADER)))) await deleteSharedSound();
}

/**
 * Returns whether audio stored at this time has expired. A time in the future counts as expired, because the
 * clock must have been set back.
 */
const isExpired = (time: number) => !(time <= Date.now() && Date.now() < time + EXPIRES_AFTER_MS);

const findSharedSound = () => getCacheStorage()?.match(SHARED_SOUND_KEY, { cacheName: CACHE });

export async function deleteSharedSound(): Promise<void> {
  await getCacheStorage()?.delete(CACHE);
}
