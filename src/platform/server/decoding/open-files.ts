import type { StdioOptions } from 'node:child_process';

// A decoder gets its files open, by number: by their paths it could not reach them. 3 is the channel to its parent.

export const INPUT = 4;
export const OUTPUT = 5;

/** A path by which the process that has the file open may open it once more, with a position of its own. */
export const pathOfOpen = (file: number) =>
  process.platform === 'linux' ? `/proc/self/fd/${file}` : `/dev/fd/${file}`;

/** A path of an open file means the reader's own: hands those on to a program under the same numbers. @param output of it */
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
