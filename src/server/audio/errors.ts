import {
  APPLE_LOSSLESS_MESSAGE,
  EMPTY_FILE_MESSAGE,
  VIDEO_FILE_MESSAGE,
  NOT_AUDIO_MESSAGE,
  getWrongAudioKindMessage,
} from '#shared/audio-rejections.ts';
import { AppError } from '#shared/errors.ts';
import type { AudioRules } from './rules.ts';

const unsupportedError = (message: string) => new AppError('unsupported-media', message);

export const emptyFileError = () => unsupportedError(EMPTY_FILE_MESSAGE);

export const notAudioError = () => unsupportedError(NOT_AUDIO_MESSAGE);

export const videoError = () => unsupportedError(VIDEO_FILE_MESSAGE);

export const appleLosslessError = () => unsupportedError(APPLE_LOSSLESS_MESSAGE);

export const unplayableCodecError = () =>
  unsupportedError(
    'Browsers can’t play the kind of audio in this file. Please save it as MP3, WAV or M4A (AAC).',
  );

export const brokenFileError = () =>
  unsupportedError('This file is damaged and can’t be played. Please record or save it again.');

export const tooExpensiveError = () =>
  unsupportedError('We couldn’t read all of this file. Please save it again as MP3, WAV or M4A (AAC).');

export const wrongKindError = (kinds: NonNullable<AudioRules['kinds']>) =>
  unsupportedError(getWrongAudioKindMessage(kinds));

export const tooLongError = (maxSeconds: number) =>
  new AppError('bad-input', `This file is too long. The limit is ${formatLimit(maxSeconds)}.`);

function formatLimit(seconds: number): string {
  if (seconds >= 7200) return `${Math.floor(seconds / 3600)} hours`;
  if (seconds >= 120) return `${Math.floor(seconds / 60)} minutes`;
  return `${seconds} seconds`;
}
