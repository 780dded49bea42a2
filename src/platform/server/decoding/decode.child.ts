import type { ErrorCode } from '../../contract/errors.ts';
import { AppError } from '../../contract/errors.ts';
import type { AudioFacts, AudioRules } from '../audio/rules.ts';
import type { Thumbnail } from '../image/render-thumbnail.ts';
import { INPUT, OUTPUT, pathOfOpen } from './open-files.ts';

// The process in which one file is examined, copied, or made a thumbnail of. It belongs to the one that started it: see
// bounded-process.ts.

export type Task =
  | { name: 'inspect'; rules: AudioRules; ffmpegPath: string | null }
  | { name: 'copy'; ffmpegPath: string }
  | { name: 'thumbnail' };

/** What came of a task: `facts` of an inspection, `thumbnail` of a picture, nothing of a copy. */
export type Done = { facts?: AudioFacts; thumbnail?: Thumbnail };
export type Answer =
  | 'ready'
  | { done: Done }
  | { refused: { code: ErrorCode; message: string } }
  | { failed: string; code: string | null };

// With the parent gone nobody waits for the answer: end, and take ffmpeg along (same process group).
process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'));

// eslint-disable-next-line no-console -- mediabunny warns about odd files, and nobody reads it here
console.warn = () => undefined;

process.once('message', (task: Task) => {
  void answer(task).then(reply);
});
reply('ready');

async function answer(task: Task): Promise<Answer> {
  try {
    return { done: await done(task) };
  } catch (error) {
    if (error instanceof AppError) return { refused: { code: error.code, message: error.message } };
    // Of an error only its words travel: what the disk said is told by the code.
    const code = error instanceof Error && 'code' in error ? String(error.code) : null;
    return { failed: String(error), code };
  }
}

/** Each loads what it needs: a process lives for one file. */
async function done(task: Task): Promise<Done> {
  const input = pathOfOpen(INPUT);
  if (task.name === 'inspect') {
    const { examine } = await import('../audio/examine.ts');
    return { facts: await examine(input, task.rules, task) };
  }
  if (task.name === 'thumbnail') {
    const { renderThumbnail } = await import('../image/render-thumbnail.ts');
    return { thumbnail: await renderThumbnail(input, OUTPUT) };
  }
  const { encodeWithFfmpeg } = await import('../audio/encode-ffmpeg.ts');
  await encodeWithFfmpeg(task.ffmpegPath, input, pathOfOpen(OUTPUT));
  return {};
}

function reply(message: Answer): void {
  process.send?.(message);
}
