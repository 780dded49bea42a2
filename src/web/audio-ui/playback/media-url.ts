import { buildSoundUrl } from '#web/audio/sound-url.ts';
import { chooseSoundCopyForConnection, type SoundFile } from '#web/audio/sound-choice.ts';

/**
 * Returns the URL of an audio file, or of its copy that suits the current connection. A name that begins with
 * a slash is already a URL.
 */
export const chooseSoundUrl = (sound: SoundFile): string =>
  sound.name.startsWith('/') ? sound.name : buildSoundUrl(sound.name, chooseSoundCopyForConnection(sound));

/**
 * Returns the URL of an image by its name on the server. A name that begins with a slash is already a URL.
 */
export const getImageUrl = (name: string) =>
  name.startsWith('/') ? name : `/api/files/${encodeURIComponent(name)}?type=image`;
