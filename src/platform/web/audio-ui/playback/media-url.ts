import { copyNow, type StoredSound } from '../../audio/sound-choice.ts';

/** The URL of a sound, in the form that suits the connection at this moment. */
export function soundUrl(sound: StoredSound): string {
  const copy = copyNow(sound);
  return fileUrl(sound.name, 'audio') + (copy === null ? '' : `&copy=${copy}`);
}

/** The URL of a picture, by its name on the server. */
export const imageFileUrl = (name: string) => fileUrl(name, 'image');

const fileUrl = (name: string, type: 'audio' | 'image') =>
  name.startsWith('/') ? name : `/api/files/${encodeURIComponent(name)}?type=${type}`;
