import { fileURLToPath } from 'node:url';

/** Expected outcome of sending a file in `src/testing/audio/` as a recording. */
export type AudioExpectation = Accepted | Rejected;

type Accepted = {
  file: string;
  outcome: 'accepted';
  contentType: string;
  /** Duration as the API returns it: in whole seconds, at least 1. */
  seconds: number;
  /** Actual duration of the audio in the file. */
  milliseconds: number;
  peaks: 'always' | 'with ffmpeg';
};

type Rejected = { file: string; outcome: 'rejected'; status: 400 | 413 | 415; because: RegExp };

const accept = (
  file: string,
  contentType: string,
  milliseconds: number,
  peaks: Accepted['peaks'] = 'always',
): Accepted => ({
  file,
  outcome: 'accepted',
  contentType,
  seconds: Math.max(1, Math.round(milliseconds / 1000)),
  milliseconds,
  peaks,
});

const reject = (file: string, because: RegExp, status: Rejected['status'] = 415): Rejected => ({
  file,
  outcome: 'rejected',
  status,
  because,
});

const NOT_AUDIO = /isn’t an audio file that we can play/;
const DAMAGED = /damaged/;

export const audioExpectations: AudioExpectation[] = [
  // The same melody of 4.8 seconds in every container.
  accept('melody.wav', 'audio/wav', 4800),
  accept('melody-f32.wav', 'audio/wav', 4800),
  accept('melody-s24.wav', 'audio/wav', 4800),
  accept('melody-ulaw.wav', 'audio/wav', 4800),
  accept('melody-cbr.mp3', 'audio/mpeg', 4800),
  accept('melody-vbr.mp3', 'audio/mpeg', 4800),
  // The file does not declare the encoder's padding, which therefore counts as audio.
  accept('melody-vbr-noxing.mp3', 'audio/mpeg', 4860),
  accept('melody-id3xss.mp3', 'audio/mpeg', 4800),
  accept('melody.m4a', 'audio/mp4', 4800, 'with ffmpeg'),
  accept('melody-moovend.m4a', 'audio/mp4', 4800, 'with ffmpeg'),
  accept('melody-frag.m4a', 'audio/mp4', 4800, 'with ffmpeg'),
  accept('melody.aac', 'audio/aac', 4800, 'with ffmpeg'),
  accept('melody.webm', 'audio/webm', 4800),
  accept('melody-nodur.webm', 'audio/webm', 4800),
  accept('melody.opus', 'audio/ogg', 4800),
  accept('melody.ogg', 'audio/ogg', 4800),
  accept('melody.flac', 'audio/flac', 4800),
  reject('melody-alac.m4a', /Apple Lossless/),

  // Voices and test signals.
  accept('om-voice.wav', 'audio/wav', 9000),
  accept('om-voice.mp3', 'audio/mpeg', 9485),
  accept('om-voice.webm', 'audio/webm', 9485),
  accept('tone440.wav', 'audio/wav', 3000),
  accept('clicks.wav', 'audio/wav', 5000),
  accept('silence.wav', 'audio/wav', 2000),
  reject('video.mp4', /is a video/),

  // Files with a wrong extension. The bytes determine the type.
  accept('mp3-named.wav', 'audio/mpeg', 4800),
  accept('wav-named.mp3', 'audio/wav', 4800),
  accept('webm-named.wav', 'audio/webm', 4800),
  accept('m4a-named.mp3', 'audio/mp4', 4800, 'with ffmpeg'),
  reject('png-named.mp3', NOT_AUDIO),
  reject('html-named.wav', NOT_AUDIO),
  reject('svg-named.mp3', NOT_AUDIO),
  reject('random.mp3', NOT_AUDIO),

  // Truncated files. Their duration is that of the audio that is left.
  accept('trunc-melody.wav', 'audio/wav', 906),
  accept('trunc-melody-cbr.mp3', 'audio/mpeg', 2341),
  accept('trunc-melody.m4a', 'audio/mp4', 2272, 'with ffmpeg'),
  accept('trunc-melody.webm', 'audio/webm', 2441),
  // A file as Chromium's MediaRecorder writes it, with clusters of unknown size.
  accept('trunc-recorder.webm', 'audio/webm', 2589),
  accept('trunc-melody.ogg', 'audio/ogg', 2034),
  accept('trunc-melody.flac', 'audio/flac', 2090),
  // Truncation removed the index, which is at the end of the file.
  reject('trunc-melody-moovend.m4a', DAMAGED),

  // Files with wrong values in their headers.
  accept('wav-claims-4gb.wav', 'audio/wav', 454),
  accept('wav-data-zero.wav', 'audio/wav', 454),
  accept('wav-html-polyglot.wav', 'audio/wav', 454),
  reject('m4a-claims-huge.m4a', /too long.*30 minutes/, 400),
  reject('wav-rate-1hz.wav', DAMAGED),
  reject('wav-rate-0.wav', DAMAGED),
  reject('wav-65535ch.wav', DAMAGED),
  reject('riff-html-polyglot.wav', DAMAGED),
  reject('id3-big.mp3', DAMAGED),
  reject('header-only.wav', /empty/),
  reject('empty.wav', /empty/),
];

/** Returns the absolute path of a file in `src/testing/audio/`. */
export const getTestAudioPath = (name: string) => fileURLToPath(new URL(`./audio/${name}`, import.meta.url));
