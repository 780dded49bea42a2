import { AppError } from '../../contract/errors.ts';
import type { AudioRules } from './rules.ts';

const unsupported = (message: string) => new AppError('unsupported-media', message);

export const empty = () => unsupported('This file is empty. Please choose another one.');

export const notAudio = () =>
  unsupported('This file is not one that a browser can play as sound. Please send an MP3, M4A or WAV file.');

export const movingPicture = () =>
  unsupported('This file has a moving picture. Please send the sound alone.');

export const appleLossless = () =>
  unsupported('Browsers cannot play Apple Lossless. Please export it as M4A (AAC), MP3 or WAV.');

export const unplayableCodec = () =>
  unsupported(
    'Browsers cannot play the kind of sound in this file. Please export it as M4A (AAC), MP3 or WAV.',
  );

export const broken = () =>
  unsupported('This file is damaged and cannot be played. Please record or export it again.');

export const tooMuchWork = () =>
  unsupported('This file could not be read to its end. Please export it again as M4A (AAC), MP3 or WAV.');

export const wrongKind = (kinds: NonNullable<AudioRules['kinds']>) =>
  unsupported(
    `This kind of sound file is not taken here: ${kinds.map((kind) => kind.toUpperCase()).join(', ')}.`,
  );

export const tooLong = (maxSeconds: number) =>
  new AppError('bad-input', `This is too long: a file may last up to ${inWords(maxSeconds)}.`);

function inWords(seconds: number): string {
  if (seconds >= 7200) return `${Math.floor(seconds / 3600)} hours`;
  if (seconds >= 120) return `${Math.floor(seconds / 60)} minutes`;
  return `${seconds} seconds`;
}
