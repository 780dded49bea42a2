import { APPLE_LOSSLESS, EMPTY_FILE, MOVING_PICTURE, NOT_AUDIO } from '#shared/audio-refusals.ts';
import { AppError } from '#shared/errors.ts';
import type { AudioRules } from './rules.ts';

const unsupported = (message: string) => new AppError('unsupported-media', message);

export const empty = () => unsupported(EMPTY_FILE);

export const notAudio = () => unsupported(NOT_AUDIO);

export const movingPicture = () => unsupported(MOVING_PICTURE);

export const appleLossless = () => unsupported(APPLE_LOSSLESS);

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
