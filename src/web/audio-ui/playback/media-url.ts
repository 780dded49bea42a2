import { soundAddress } from '#web/audio/sound-address.ts';
import { copyNow, type StoredSound } from '#web/audio/sound-choice.ts';

/** The URL of a sound, in the form that suits the connection at this moment. */
export const soundUrl = (sound: StoredSound): string =>
  sound.name.startsWith('/') ? sound.name : soundAddress(sound.name, copyNow(sound));

/** The URL of a picture, by its name on the server. */
export const imageFileUrl = (name: string) =>
  name.startsWith('/') ? name : `/api/files/${encodeURIComponent(name)}?type=image`;
