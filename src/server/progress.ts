import { formatByteSize } from '#shared/byte-size.ts';

/** Progress of a run through all files. */
export type FileProgress = { files: number; total: number; bytes: number };

const PRINT_INTERVAL_MS = 2_000;

/** Creates a function that prints the progress to stderr, at most every two seconds. */
export function createProgressPrinter() {
  let last = Date.now();
  return ({ files, total, bytes }: FileProgress) => {
    if (Date.now() - last < PRINT_INTERVAL_MS) return;
    last = Date.now();
    process.stderr.write(`${formatCount(files)} of ${formatCount(total)} files, ${formatByteSize(bytes)}\n`);
  };
}

export const formatCount = (number: number) => number.toLocaleString('en');
