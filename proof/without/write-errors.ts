import fs from 'node:fs';

// Loaded before the program: a write that the disk refuses is taken for one that was done.
type Done = (error: NodeJS.ErrnoException | null, written: number, what: unknown) => void;
type Write = (file: number, what: Buffer | Buffer[], ...more: unknown[]) => void;

const careless =
  (write: Write): Write =>
  (file, what, ...more) => {
    const done = more.pop() as Done;
    write(file, what, ...more, ((error, written, given) => {
      const length = [what].flat().reduce((sum, { byteLength }) => sum + byteLength, 0);
      if (error?.code === 'ENOSPC') done(null, length, given);
      else done(error, written, given);
    }) satisfies Done);
  };

fs.write = careless(fs.write as Write) as typeof fs.write;
fs.writev = careless(fs.writev as unknown as Write) as unknown as typeof fs.writev;
