import {
  APPLE_LOSSLESS_MESSAGE,
  EMPTY_FILE_MESSAGE,
  VIDEO_FILE_MESSAGE,
  NOT_AUDIO_MESSAGE,
  getUnsupportedAudioKindMessage,
} from '#shared/audio-rejections.ts';
import { AppError } from '#shared/errors.ts';
import type { AudioRules } from './rules.ts';

const unsupportedError = (message: string) => new AppError('unsupported-media', message);

export const createEmptyFileError = () => unsupportedError(EMPTY_FILE_MESSAGE);

export const createNotAudioError = () => unsupportedError(NOT_AUDIO_MESSAGE);

export const createVideoFileError = () => unsupportedError(VIDEO_FILE_MESSAGE);

export const createAppleLosslessError = () => unsupportedError(APPLE_LOSSLESS_MESSAGE);

export const createUnplayableCodecError = () =>
  unsupportedError(
    'Browsers can’t play the kind of audio in this file. Please save it as MP3, WAV or M4A (AAC).',
  );

export const createBrokenAudioError = () =>
  unsupportedError('This file is damaged and can’t be played. Please record or save it again.');

export const createAudioTooExpensiveError = () =>
  unsupportedError('We couldn’t read all of this file. Please save it again as MP3, WAV or M4A (AAC).');

export const createWrongAudioKindError = (kinds: NonNullable<AudioRules['kinds']>) =>
  unsupportedError(getUnsupportedAudioKindMessage(kinds));

export const createAudioTooLongError = (maxSeconds: number) =>
  new AppError('bad-input', `This file is too long. The limit is ${formatLimit(maxSeconds)}.`);

function formatLimit(seconds: number): string {
  if (seconds >= 7200) return `${Math.floor(seconds / 3600)} hours`;
  if (seconds >= 120) return `${Math.floor(seconds / 60)} minutes`;
  return `${seconds} seconds`;
}
