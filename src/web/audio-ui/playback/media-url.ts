import { soundAddress } from '#web/audio/sound-address.ts';
import { copyNow, type StoredSound } from '#web/audio/sound-choice.ts';

/** Returns the URL of a sound, in the form that suits the connection at the moment. */
export const soundUrl = (sound: StoredSound): string =>
  sound.name.startsWith('/') ? sound.name : soundAddress(sound.name, copyNow(sound));

/** Returns the URL of an image by its name on the server. */
export const imageFileUrl = (name: string) =>
  name.startsWith('/') ? name : `/api/files/${encodeURIComponent(name)}?type=image`;
