import type { ErrorCode } from '../../contract/errors.ts';
import { AppError } from '../../contract/errors.ts';
import { encodeWithFfmpeg } from './encode-ffmpeg.ts';
import { examine } from './examine.ts';
import type { AudioFacts, AudioRules } from './rules.ts';

// The process in which one file is examined, or copied. It belongs to the one that started it: see bounded-process.ts.

type Tools = { ffmpegPath: string | null };
export type Request =
  | { task: 'inspect'; path: string; rules: AudioRules; tools: Tools }
  | { task: 'copy'; path: string; to: string; ffmpegPath: string };
/** `facts` of an inspection; a copy has none. */
export type Done = { facts?: AudioFacts };
export type Answer =
  'ready' | { done: Done } | { refused: { code: ErrorCode; message: string } } | { failed: string };

// With the parent gone nobody waits for the answer: end, and take ffmpeg along (same process group).
process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
// eslint-disable-next-line no-console -- mediabunny warns about odd files, and nobody reads it here
console.warn = () => undefined;

process.once('message', (request: Request) => {
  void answer(request).then(reply);
});
reply('ready');

async function answer(request: Request): Promise<Answer> {
  try {
    if (request.task === 'inspect')
      return { done: { facts: await examine(request.path, request.rules, request.tools) } };
    await encodeWithFfmpeg(request.ffmpegPath, request.path, request.to);
    return { done: {} };
  } catch (error) {
    if (error instanceof AppError) return { refused: { code: error.code, message: error.message } };
    return { failed: String(error) };
  }
}

function reply(message: Answer): void {
  process.send?.(message);
}
