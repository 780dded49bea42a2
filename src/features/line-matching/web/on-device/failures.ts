import { WorkerFailed } from './alignment-worker.ts';
import { SoundUnreachable, SoundUnreadable } from './decode-sound.ts';

/** What comes of a connection, a file or a browser, and not of a fault of the page. */
export const isExpected = (error: unknown) =>
  error instanceof SoundUnreachable || error instanceof SoundUnreadable || error instanceof WorkerFailed;
