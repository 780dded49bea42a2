import type { ErrorCode } from '../../contract/errors.ts';
import { AppError } from '../../contract/errors.ts';
import { examine } from './examine.ts';
import type { AudioFacts, AudioRules } from './rules.ts';

// The process in which one file is examined. It belongs to the one that started it: see inspect.ts.

export type Request = { path: string; rules: AudioRules; tools: { ffmpegPath: string | null } };
export type Answer =
  'ready' | { facts: AudioFacts } | { refused: { code: ErrorCode; message: string } } | { failed: string };

// With the parent gone nobody waits for the answer: end, and take ffmpeg along (same process group).
process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
// eslint-disable-next-line no-console -- mediabunny warns about odd files, and nobody reads it here
console.warn = () => undefined;

process.once('message', (request: Request) => {
  void answer(request).then(reply);
});
reply('ready');

async function answer({ path, rules, tools }: Request): Promise<Answer> {
  try {
    return { facts: await examine(path, rules, tools) };
  } catch (error) {
    if (error instanceof AppError) return { refused: { code: error.code, message: error.message } };
    return { failed: String(error) };
  }
}

function reply(message: Answer): void {
  process.send?.(message);
}
