import { vi } from 'vitest';
import type {
  AlignmentReply,
  AlignmentProgress,
  AlignmentRequest,
} from '#features/line-matching/web/on-device/alignment-handler.ts';

type Lines = Extract<AlignmentReply, { type: 'lines' }>['lines'];
type Contours = Extract<AlignmentReply, { type: 'contours' }>['contours'];

/** Options with a long timeout, because tests can't control how fast the browser decodes audio. */
const POLL_OPTIONS = { timeout: 60_000 };

const NO_FEATURES = { frames: 0, pitch: new Float32Array(), bands: new Float32Array() };

/**
 * Replaces the line-finding worker until the end of the test. The fake accepts audio without delay and finds
 * the lines that the test sets.
 */
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
      else if (request.type === 'end') this.say({ type: 'features', features: NO_FEATURES });
      else if (request.type === 'compare') this.say({ type: 'contours', contours: state.contours });
    }

    say(message: AlignmentReply | AlignmentProgress) {
      queueMicrotask(
        () => !this.hasEnded && this.onmessage?.(new MessageEvent('message', { data: message })),
      );
    }

    terminate() {
      this.hasEnded = true;
    }
  }
  vi.stubGlobal('Worker', FakeWorker);

  /** Waits for the newest running worker that has received a request to find lines. */
  const finding = () => vi.waitUntil(findingNow, POLL_OPTIONS);
  const findingNow = () => workers.findLast(({ asked, hasEnded }) => !hasEnded && asked.includes('find'));
  return {
    workers,
    progress: async (fraction: number) => (await finding()).say({ type: 'progress', fraction }),
    find: async (lines: Lines) => (await finding()).say({ type: 'lines', lines }),
    /** Sets the pitch contours that the comparison of a line returns. */
    sees: (contours: Contours) => (state.contours = contours),
    /** Sets whether workers fail to start, as in some browsers. */
    breaks: (isBroken: boolean) => (state.isBroken = isBroken),
  };
}
