import { createAlignmentHandler, type AlignmentRequest } from './alignment-handler.ts';

// The worker's own globals, which TypeScript's DOM library leaves out.
declare function postMessage(message: unknown): void;

const handle = createAlignmentHandler((progress) => postMessage(progress));
addEventListener('message', ({ data }: MessageEvent<AlignmentRequest>) => postMessage(handle(data)));
