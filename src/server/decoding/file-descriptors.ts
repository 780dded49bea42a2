import type { StdioOptions } from 'node:child_process';

// A decoder gets its files as open descriptors, because it can't reach them by path.

/** Descriptor for messages between a decoder and its parent. */
export const CHANNEL_FD = 3;
export const INPUT_FD = 4;
export const OUTPUT_FD = 5;

/**
 * Returns a path through which the process that has the descriptor can reopen the file, with a position of its own.
 */
export const getDescriptorPath = (file: number) =>
  process.platform === 'linux' ? `/proc/self/fd/${file}` : `/dev/fd/${file}`;

/**
 * Returns the stdio options that pass descriptors on to a child under the same numbers, because a descriptor path
 * refers to the descriptors of the process that reads it.
 * @param output stdout of the child
 */
export const inheritDescriptors = (output: 'pipe' | 'ignore', paths: string[]): StdioOptions => {
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
