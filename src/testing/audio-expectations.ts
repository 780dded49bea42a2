import { fileURLToPath } from 'node:url';

/** Expected outcome of sending each file in `src/testing/audio/` as a recording. */
export type AudioExpectation = Taken | Refused;

type Taken = {
  file: string;
  outcome: 'accepted';
  contentType: string;
  /** As in the API: whole seconds, at least 1. */
  seconds: number;
  /** Actual duration of the sound in the file. */
  milliseconds: number;
  peaks: 'always' | 'with ffmpeg';
};

type Refused = { file: string; outcome: 'rejected'; status: 400 | 413 | 415; because: RegExp };

const taken = (
  file: string,
  contentType: string,
  milliseconds: number,
  peaks: Taken['peaks'] = 'always',
): Taken => ({
  file,
  outcome: 'accepted',
  contentType,
  seconds: Math.max(1, Math.round(milliseconds / 1000)),
  milliseconds,
  peaks,
});

const refused = (file: string, because: RegExp, status: Refused['status'] = 415): Refused => ({
  file,
  outcome: 'rejected',
  status,
  because,
});

const NOT_AUDIO = /isn’t an audio file that we can play/;
const DAMAGED = /damaged/;

export const audioExpectations: AudioExpectation[] = [
  // The same melody of 4.8 seconds in every container.
  taken('melody.wav', 'audio/wav', 4800),
  taken('melody-f32.wav', 'audio/wav', 4800),
  taken('melody-s24.wav', 'audio/wav', 4800),
  taken('melody-ulaw.wav', 'audio/wav', 4800),
  taken('melody-cbr.mp3', 'audio/mpeg', 4800),
  taken('melody-vbr.mp3', 'audio/mpeg', 4800),
  // The file does not declare the encoder's padding.
  taken('melody-vbr-noxing.mp3', 'audio/mpeg', 4860),
  taken('melody-id3xss.mp3', 'audio/mpeg', 4800),
  taken('melody.m4a', 'audio/mp4', 4800, 'with ffmpeg'),
  taken('melody-moovend.m4a', 'audio/mp4', 4800, 'with ffmpeg'),
  taken('melody-frag.m4a', 'audio/mp4', 4800, 'with ffmpeg'),
  taken('melody.aac', 'audio/aac', 4800, 'with ffmpeg'),
  taken('melody.webm', 'audio/webm', 4800),
  taken('melody-nodur.webm', 'audio/webm', 4800),
  taken('melody.opus', 'audio/ogg', 4800),
  taken('melody.ogg', 'audio/ogg', 4800),
  taken('melody.flac', 'audio/flac', 4800),
  refused('melody-alac.m4a', /Apple Lossless/),

  // Voices and exact sounds.
  taken('om-voice.wav', 'audio/wav', 9000),
  taken('om-voice.mp3', 'audio/mpeg', 9485),
  taken('om-voice.webm', 'audio/webm', 9485),
  taken('tone440.wav', 'audio/wav', 3000),
  taken('clicks.wav', 'audio/wav', 5000),
  taken('silence.wav', 'audio/wav', 2000),
  refused('video.mp4', /is a video/),

  // Wrong extension: the bytes decide the type.
  taken('mp3-named.wav', 'audio/mpeg', 4800),
  taken('wav-named.mp3', 'audio/wav', 4800),
  taken('webm-named.wav', 'audio/webm', 4800),
  taken('m4a-named.mp3', 'audio/mp4', 4800, 'with ffmpeg'),
  refused('png-named.mp3', NOT_AUDIO),
  refused('html-named.wav', NOT_AUDIO),
  refused('svg-named.mp3', NOT_AUDIO),
  refused('random.mp3', NOT_AUDIO),

  // Truncated files last as long as the audio that is left.
  taken('trunc-melody.wav', 'audio/wav', 906),
  taken('trunc-melody-cbr.mp3', 'audio/mpeg', 2341),
  taken('trunc-melody.m4a', 'audio/mp4', 2272, 'with ffmpeg'),
  taken('trunc-melody.webm', 'audio/webm', 2441),
  // As Chromium's MediaRecorder writes it: clusters of unknown size.
  taken('trunc-recorder.webm', 'audio/webm', 2589),
  taken('trunc-melody.ogg', 'audio/ogg', 2034),
  taken('trunc-melody.flac', 'audio/flac', 2090),
  // Truncation removed the index at its end.
  refused('trunc-melody-moovend.m4a', DAMAGED),

  // Wrong or false headers.
  taken('wav-claims-4gb.wav', 'audio/wav', 454),
  taken('wav-data-zero.wav', 'audio/wav', 454),
  taken('wav-html-polyglot.wav', 'audio/wav', 454),
  refused('m4a-claims-huge.m4a', /too long.*30 minutes/, 400),
  refused('wav-rate-1hz.wav', DAMAGED),
  refused('wav-rate-0.wav', DAMAGED),
  refused('wav-65535ch.wav', DAMAGED),
  refused('riff-html-polyglot.wav', DAMAGED),
  refused('id3-big.mp3', DAMAGED),
  refused('header-only.wav', /empty/),
  refused('empty.wav', /empty/),
];

/** Returns the absolute path of a file in `src/testing/audio/`. */
export const audioFile = (name: string) => fileURLToPath(new URL(`./audio/${name}`, import.meta.url));
