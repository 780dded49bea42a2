import type { StdioOptions } from 'node:child_process';

// A decoder gets its files as open descriptors: it could not reach them by path.

/** Carries messages between a decoder and its parent. */
export const CHANNEL = 3;
export const INPUT = 4;
export const OUTPUT = 5;

/** A path through which the process holding the descriptor can reopen the file with a position of its own. */
export const pathOfOpen = (file: number) =>
  process.platform === 'linux' ? `/proc/self/fd/${file}` : `/dev/fd/${file}`;

/**
 * A descriptor path refers to the reader's own descriptors, so pass them on to a child under the same numbers. @param
 * output of it
 */
export const handedOn = (output: 'pipe' | 'ignore', paths: string[]): StdioOptions => {
  const files = paths.map((path) =>
    Number(/^\/(?:proc\/self|dev)\/fd\/(\d+)$/.exec(path)?.[1] ?? Number.NaN),
  );
  const stdio: StdioOptions = ['ignore', output, 'ignore'];
  for (const file of files.filter(Number.isInteger)) {
    while (stdio.length < file) stdio.push('ignore');
    stdio[file] = file;
  }
  return stdio;
};
