import type { StdioOptions } from 'node:child_process';

// Descriptors of a decoder's files. The decoder receives open files, because it can't access them by path.

/** Descriptor of the channel between a decoder and its parent. */
export const CHANNEL_FD = 3;
export const INPUT_FD = 4;
export const OUTPUT_FD = 5;

/**
 * Returns a path for reopening the file of this descriptor. The path works only in the process that owns the
 * descriptor. On Linux, the reopened file has its own position.
 */
export const getDescriptorPath = (file: number) =>
  process.platform === 'linux' ? `/proc/self/fd/${file}` : `/dev/fd/${file}`;

/**
 * Returns stdio options that pass the descriptors of these paths on to a child process under the same numbers.
 * The numbers must not change, because such a path refers to the descriptors of the process that opens it.
 * @param output stdout of the child
 */
export const getInheritedStdio = (output: 'pipe' | 'ignore', paths: string[]): StdioOptions => {
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
