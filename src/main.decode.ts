import { Socket } from 'node:net';
import type { FoundLine } from '#features/line-matching/alignment/find-lines.ts';
import type { LineStart } from '#features/line-matching/alignment/melody-model.ts';
import type { ErrorCode } from '#shared/errors.ts';
import { AppError } from '#shared/errors.ts';
import type { CopyWanted } from '#server/audio/encode-copy.ts';
import type { PassageWanted } from '#server/audio/cut-passage.ts';
import type { AudioFacts, AudioRules } from '#server/audio/rules.ts';
import type { Thumbnail } from '#server/image/render-thumbnail.ts';
import { receiveMessages, sendMessage } from '#server/decoding/messages.ts';
import { CHANNEL, INPUT, OUTPUT, pathOfOpen } from '#server/decoding/open-files.ts';

// The child process in which one file is inspected, transcoded or turned into a thumbnail. Started by
// bounded-process.ts.

export type Task =
  | { name: 'inspect'; rules: AudioRules; ffmpegPath: string | null }
  | { name: 'copy'; wanted: CopyWanted; ffmpegPath: string }
  | { name: 'passage'; wanted: PassageWanted; ffmpegPath: string | null }
  | { name: 'features'; seconds: number; ffmpegPath: string | null }
  | {
      name: 'lines';
      seconds: number;
      melody: { features: Uint8Array; starts: LineStart[] };
      ffmpegPath: string | null;
    }
  | { name: 'thumbnail' };

/**
 * The result of a task: `facts` of an inspection, `thumbnail` of a picture, `isWorthwhile` of a copy, nothing of a
 * passage; the other two are named after theirs.
 */
export type Done = {
  facts?: AudioFacts;
  thumbnail?: Thumbnail;
  isWorthwhile?: boolean;
  features?: Uint8Array;
  lines?: FoundLine[];
};
export type Answer =
  | 'ready'
  /** The part of an inspection that is done, 0 to 1. */
  | { progress: number }
  | { done: Done }
  | { refused: { code: ErrorCode; message: string } }
  | { failed: string; code: string | null };

const channel = new Socket({ fd: CHANNEL });
channel.on('error', () => channel.destroy());

// When the parent is gone nobody waits for the result: exit, and kill ffmpeg too (same process group).
channel.once('close', () => process.kill(-process.pid, 'SIGKILL'));

// mediabunny warns about odd files, and nobody reads it here.
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
    // Of an error only the message crosses the process boundary; the code tells what the disk reported.
    const code = error instanceof Error && 'code' in error ? String(error.code) : null;
    return { failed: String(error), code };
  }
}

/** Each task loads only what it needs: a process handles one file. */
async function done(task: Task): Promise<Done> {
  const input = pathOfOpen(INPUT);
  if (task.name === 'inspect') {
    const { examine } = await import('#server/audio/examine.ts');
    const onProgress = (progress: number) => reply({ progress });
    return { facts: await examine(input, task.rules, { ...task, onProgress }) };
  }
  if (task.name === 'thumbnail') {
    const { renderThumbnail } = await import('#server/image/render-thumbnail.ts');
    return { thumbnail: await renderThumbnail(input, OUTPUT) };
  }
  if (task.name === 'features') {
    const { featuresIn } = await import('#features/line-matching/server/hear-sound.ts');
    const { packed } = await import('#features/line-matching/alignment/packed-features.ts');
    return { features: packed(await featuresIn(input, task.seconds, task.ffmpegPath)) };
  }
  if (task.name === 'lines') {
    const { featuresIn } = await import('#features/line-matching/server/hear-sound.ts');
    const { unpacked } = await import('#features/line-matching/alignment/packed-features.ts');
    const { findLines } = await import('#features/line-matching/alignment/find-lines.ts');
    const melody = unpacked(task.melody.features);
    if (!melody) throw new Error('the melody is packed otherwise');
    return {
      lines: findLines(melody, task.melody.starts, await featuresIn(input, task.seconds, task.ffmpegPath)),
    };
  }
  if (task.name === 'passage') {
    const { cutPassage } = await import('#server/audio/cut-passage.ts');
    await cutPassage(input, OUTPUT, task.wanted, task.ffmpegPath);
    return {};
  }
  const { encodeCopy } = await import('#server/audio/encode-copy.ts');
  return { isWorthwhile: await encodeCopy(task.ffmpegPath, input, pathOfOpen(OUTPUT), task.wanted) };
}

function reply(message: Answer): void {
  sendMessage(channel, message);
}
