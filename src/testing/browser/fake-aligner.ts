import { vi } from 'vitest';
import type {
  AlignmentAnswer,
  AlignmentProgress,
  AlignmentRequest,
} from '#features/line-matching/web/on-device/alignment-work.ts';

type Lines = Extract<AlignmentAnswer, { type: 'lines' }>['lines'];
type Contours = Extract<AlignmentAnswer, { type: 'contours' }>['contours'];

/** The browser decodes in its own time. */
const PATIENCE = { timeout: 60_000 };

const NOTHING = { frames: 0, pitch: new Float32Array(), bands: new Float32Array() };

/** Stands for the worker that finds lines, until the end of the test: it hears at once, and finds what the test says. */
export function fakeAligner() {
  const workers: FakeWorker[] = [];
  const state: { contours: Contours; isBroken: boolean } = { contours: null, isBroken: false };

  class FakeWorker {
    onmessage: ((event: MessageEvent) => void) | null = null;
    onerror: ((event: Event) => void) | null = null;
    asked: AlignmentRequest['type'][] = [];
    hasEnded = false;

    constructor() {
      workers.push(this);
    }

    postMessage(request: AlignmentRequest) {
      this.asked.push(request.type);
      if (state.isBroken) queueMicrotask(() => this.onerror?.(new Event('error', { cancelable: true })));
      else if (request.type === 'hear') this.say({ type: 'heard' });
      else if (request.type === 'end') this.say({ type: 'features', features: NOTHING });
      else if (request.type === 'compare') this.say({ type: 'contours', contours: state.contours });
    }

    say(message: AlignmentAnswer | AlignmentProgress) {
      queueMicrotask(
        () => !this.hasEnded && this.onmessage?.(new MessageEvent('message', { data: message })),
      );
    }

    terminate() {
      this.hasEnded = true;
    }
  }
  vi.stubGlobal('Worker', FakeWorker);

  /** The one that was asked to find lines last, and still is at it. */
  const finding = () => vi.waitUntil(findingNow, PATIENCE);
  const findingNow = () => workers.findLast(({ asked, hasEnded }) => !hasEnded && asked.includes('find'));
  return {
    workers,
    progress: async (fraction: number) => (await finding()).say({ type: 'progress', fraction }),
    find: async (lines: Lines) => (await finding()).say({ type: 'lines', lines }),
    /** What is seen of a line in two sounds. */
    sees: (contours: Contours) => (state.contours = contours),
    /** As in a browser that does not start it. */
    breaks: (isBroken: boolean) => (state.isBroken = isBroken),
  };
}
