import {
  APPLE_LOSSLESS,
  EMPTY_FILE,
  MOVING_PICTURE,
  NOT_AUDIO,
  wrongAudioKind,
} from '#shared/audio-refusals.ts';
import { AppError } from '#shared/errors.ts';
import type { AudioRules } from './rules.ts';

const unsupported = (message: string) => new AppError('unsupported-media', message);

export const empty = () => unsupported(EMPTY_FILE);

export const notAudio = () => unsupported(NOT_AUDIO);

export const movingPicture = () => unsupported(MOVING_PICTURE);

export const appleLossless = () => unsupported(APPLE_LOSSLESS);

export const unplayableCodec = () =>
  unsupported('Browsers can’t play the kind of audio in this file. Please save it as MP3, WAV or M4A (AAC).');

export const broken = () =>
  unsupported('This file is damaged and can’t be played. Please record or save it again.');

export const tooMuchWork = () =>
  unsupported('We couldn’t read all of this file. Please save it again as MP3, WAV or M4A (AAC).');

export const wrongKind = (kinds: NonNullable<AudioRules['kinds']>) => unsupported(wrongAudioKind(kinds));

export const tooLong = (maxSeconds: number) =>
  new AppError('bad-input', `This file is too long. The limit is ${inWords(maxSeconds)}.`);

function inWords(seconds: number): string {
  if (seconds >= 7200) return `${Math.floor(seconds / 3600)} hours`;
  if (seconds >= 120) return `${Math.floor(seconds / 60)} minutes`;
  return `${seconds} seconds`;
}
