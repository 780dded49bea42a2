import { byteSizeInWords } from '#shared/byte-size.ts';

/** Progress of a run through all files. */
export type Progress = { files: number; of: number; bytes: number };

const EVERY_MS = 2_000;

/** Returns a function that prints progress to stderr at intervals. */
export function progressOnTerminal() {
  let last = Date.now();
  return ({ files, of, bytes }: Progress) => {
    if (Date.now() - last < EVERY_MS) return;
    last = Date.now();
    process.stderr.write(`${count(files)} of ${count(of)} files, ${byteSizeInWords(bytes)}\n`);
  };
}

export const count = (number: number) => number.toLocaleString('en');
