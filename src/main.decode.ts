import { Socket } from 'node:net';
import type { Features } from '#features/line-matching/alignment/features.ts';
import '#features/line-matching/server/decoder-tasks.ts';
import { AppError } from '#shared/errors.ts';
import type { Answer, Done, Task } from '#server/decoding/tasks.ts';
import { receiveMessages, sendMessage } from '#server/decoding/messages.ts';
import { CHANNEL, INPUT, OUTPUT, pathOfOpen } from '#server/decoding/open-files.ts';

// The child process that inspects or transcodes one file, or makes its thumbnail. Started by bounded-process.ts.

const channel = new Socket({ fd: CHANNEL });
channel.on('error', () => channel.destroy());

// When the parent is gone, nothing waits for the result: exit and kill ffmpeg too (same process group).
channel.once('close', () => process.kill(-process.pid, 'SIGKILL'));

// mediabunny warns about odd files, and nobody reads its warnings here.
console.warn = () => undefined;

receiveMessages(channel, {
  maxBytes: Infinity,
  onMessage: (read) => void answer(read() as Task).then(reply),
});
reply('ready');

async function answer(task: Task): Promise<Answer> {
  try {
    return { done: await done(task) };
  } catch (error) {
    if (error instanceof AppError) return { refused: { code: error.code, message: error.message } };
    // Only the message crosses the process boundary, with the code that the disk reported.
    const code = error instanceof Error && 'code' in error ? String(error.code) : null;
    return { failed: String(error), code };
  }
}

/** Runs one task. Each loads only what it needs, because a process handles a single file. */
async function done(task: Task): Promise<Done> {
  const input = pathOfOpen(INPUT);
  if (task.name === 'inspect') {
    const { examine } = await import('#server/audio/decoder/examine.ts');
    const onProgress = (progress: number) => reply({ progress });
    return { facts: await examine(input, task.rules, { ...task, onProgress }) };
  }
  if (task.name === 'thumbnail') {
    const { renderThumbnail } = await import('#server/image/render-thumbnail.ts');
    return { thumbnail: await renderThumbnail(input, OUTPUT) };
  }
  if (task.name === 'features') {
    const { packed } = await import('#features/line-matching/alignment/packed-features.ts');
    return { features: packed(await featuresIn(input, task.seconds, task.ffmpegPath)) };
  }
  if (task.name === 'lines') {
    const { unpacked } = await import('#features/line-matching/alignment/packed-features.ts');
    const { findLines } = await import('#features/line-matching/alignment/find-lines.ts');
    const melody = unpacked(task.melody.features);
    if (!melody) throw new Error('the melody is packed otherwise');
    return {
      lines: findLines(melody, task.melody.starts, await featuresIn(input, task.seconds, task.ffmpegPath)),
    };
  }
  if (task.name === 'passage') {
    const { cutPassage } = await import('#server/audio/decoder/cut-passage.ts');
    await cutPassage(input, OUTPUT, task.wanted, task.ffmpegPath);
    return {};
  }
  const { encodeCopy } = await import('#server/audio/decoder/encode-copy.ts');
  return { isWorthwhile: await encodeCopy(task.ffmpegPath, input, pathOfOpen(OUTPUT), task.wanted) };
}

function reply(message: Answer): void {
  sendMessage(channel, message);
}

/** Decodes a sound and returns the features that are compared. */
async function featuresIn(path: string, seconds: number, ffmpegPath: string | null): Promise<Features> {
  const { hearSound } = await import('#server/audio/decoder/hear-sound.ts');
  const { FeatureListener } = await import('#features/line-matching/alignment/features.ts');
  const { heard } = await hearSound(path, seconds, ffmpegPath, (rate) => new FeatureListener(rate));
  return heard.end();
}
