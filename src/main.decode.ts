import { Socket } from 'node:net';
import type { SoundFeatures } from '#features/line-matching/alignment/features.ts';
import '#features/line-matching/server/decoder-tasks.ts';
import { AppError } from '#shared/errors.ts';
import type { DecoderMessage, DecoderTaskResult, DecoderTask } from '#server/decoding/tasks.ts';
import { receiveDecoderMessages, sendDecoderMessage } from '#server/decoding/decoder-messages.ts';
import { CHANNEL_FD, INPUT_FD, OUTPUT_FD, getDescriptorPath } from '#server/decoding/file-descriptors.ts';

// Child process that handles one stored or uploaded file: inspects, transcodes or cuts it, renders its
// thumbnail, extracts its features, or finds its lines. Started by bounded-process.ts.

const channel = new Socket({ fd: CHANNEL_FD });
channel.on('error', () => channel.destroy());

// Kills this process and ffmpeg, which share a process group, when the parent process is gone and nothing
// waits for the result.
channel.once('close', () => process.kill(-process.pid, 'SIGKILL'));

// Silences mediabunny's warnings about unusual files, because nobody reads them here.
console.warn = () => undefined;

receiveDecoderMessages(channel, {
  maxBytes: Infinity,
  onMessage: (read) => void answer(read() as DecoderTask).then(reply),
});
reply('ready');

async function answer(task: DecoderTask): Promise<DecoderMessage> {
  try {
    return { done: await done(task) };
  } catch (error) {
    if (error instanceof AppError) return { refused: { code: error.code, message: error.message } };
    // Sends only the error's message and code to the parent process. A disk error, for example, has a code.
    const code = error instanceof Error && 'code' in error ? String(error.code) : null;
    return { failed: String(error), code };
  }
}

/** Runs one task. Each task loads only the modules that it needs, because a process handles a single file. */
async function done(task: DecoderTask): Promise<DecoderTaskResult> {
  const input = getDescriptorPath(INPUT_FD);
  if (task.name === 'inspect') {
    const { inspectAudioFile } = await import('#server/audio/decoder/inspect-audio-file.ts');
    const onProgress = (progress: number) => reply({ progress });
    return { facts: await inspectAudioFile(input, task.rules, { ...task, onProgress }) };
  }
  if (task.name === 'thumbnail') {
    const { renderThumbnail } = await import('#server/image/render-thumbnail.ts');
    return { thumbnail: await renderThumbnail(input, OUTPUT_FD) };
  }
  if (task.name === 'features') {
    const { packFeatures } = await import('#features/line-matching/alignment/packed-features.ts');
    return { features: packFeatures(await featuresIn(input, task.seconds, task.ffmpegPath)) };
  }
  if (task.name === 'lines') {
    const { unpackFeatures } = await import('#features/line-matching/alignment/packed-features.ts');
    const { findLines } = await import('#features/line-matching/alignment/find-lines.ts');
    const melody = unpackFeatures(task.melody.features);
    if (!melody) throw new Error('the melody is packed otherwise');
    return {
      lines: findLines(melody, task.melody.starts, await featuresIn(input, task.seconds, task.ffmpegPath)),
    };
  }
  if (task.name === 'passage') {
    const { cutPassage } = await import('#server/audio/decoder/cut-passage.ts');
    await cutPassage(input, OUTPUT_FD, task.wanted, task.ffmpegPath);
    return {};
  }
  const { encodeSoundCopy } = await import('#server/audio/decoder/encode-sound-copy.ts');
  return {
    isWorthwhile: await encodeSoundCopy(task.ffmpegPath, input, getDescriptorPath(OUTPUT_FD), task.wanted),
  };
}

function reply(message: DecoderMessage): void {
  sendDecoderMessage(channel, message);
}

/** Decodes an audio file and returns its features for finding lines. */
async function featuresIn(path: string, seconds: number, ffmpegPath: string | null): Promise<SoundFeatures> {
  const { decodeToMono } = await import('#server/audio/decoder/decode-to-mono.ts');
  const { FeatureExtractor } = await import('#features/line-matching/alignment/features.ts');
  const { consumer } = await decodeToMono(path, seconds, ffmpegPath, (rate) => new FeatureExtractor(rate));
  return consumer.end();
}
