// Messages for files that the browser can reject when they are chosen, before it sends anything. The server
// uses the same messages.

export const EMPTY_FILE_MESSAGE = 'This file is empty. Please choose another one.';

export const NOT_AUDIO_MESSAGE =
  'This isn’t an audio file that we can play. Please choose an MP3, M4A or WAV file.';

export const VIDEO_FILE_MESSAGE = 'This file is a video. Please choose an audio file.';

export const APPLE_LOSSLESS_MESSAGE =
  'This Apple format (Apple Lossless) won’t play here. Please save it as MP3, WAV or M4A (AAC).';

/** @param kinds accepted kinds of file, such as ['mp3', 'wav', 'm4a'] */
export function getUnsupportedAudioKindMessage(kinds: readonly string[]): string {
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    kinds.map((kind) => kind.toUpperCase()),
  );
  return `This kind of audio file isn’t supported. Please choose ${names}.`;
}
