import { buildSoundUrl } from '#web/audio/sound-url.ts';
import { chooseSoundCopyForConnection, type SoundFile } from '#web/audio/sound-choice.ts';

/** Returns the URL of an audio file, or of the copy of it that suits the current connection. */
export const chooseSoundUrl = (sound: SoundFile): string =>
  sound.name.startsWith('/') ? sound.name : buildSoundUrl(sound.name, chooseSoundCopyForConnection(sound));

/** Returns the URL of an image by its name on the server. */
export const getImageUrl = (name: string) =>
  name.startsWith('/') ? name : `/api/files/${encodeURIComponent(name)}?type=image`;
