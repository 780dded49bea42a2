import { createAlignmentWork, type AlignmentRequest } from './alignment-work.ts';

// The worker's own globals, which TypeScript's DOM library leaves out.
declare function postMessage(message: unknown): void;

const work = createAlignmentWork((progress) => postMessage(progress));
addEventListener('message', ({ data }: MessageEvent<AlignmentRequest>) => postMessage(work(data)));
