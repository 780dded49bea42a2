import workerUrl from './alignment.worker.ts?worker&url';
import type { AlignmentAnswer, AlignmentProgress, AlignmentRequest } from './alignment-work.ts';

/** The part of `Worker` that is used here. Tests pass their own. */
export type WorkerLike = Pick<
  Worker,
  'postMessage' | 'terminate' | 'onmessage' | 'onerror' | 'onmessageerror'
>;

/** The worker could not be started, or has died. */
export class WorkerFailed extends Error {}

type AnswerTo<R extends AlignmentRequest> = Extract<
  AlignmentAnswer,
  { type: { hear: 'heard'; end: 'features'; find: 'lines'; compare: 'contours' }[R['type']] }
>;

export type AlignmentWorker = {
  /**
   * Sends one request; wait for its answer before the next.
   * @throws WorkerFailed; the signal's abort reason
   */
  ask<R extends AlignmentRequest>(
    request: R,
    options?: { transfer?: Transferable[]; onProgress?: ((fraction: number) => void) | undefined },
  ): Promise<AnswerTo<R>>;
  end(): void;
};

/** Creates the worker. It is built as one classic script, which every browser runs; in development it is a module. */
const inBrowser = (): WorkerLike => new Worker(workerUrl, { type: 'module', name: 'alignment' });

/** Starts a worker. Aborting the signal terminates it at once, even during a request. */
export function startAlignmentWorker(
  signal: AbortSignal,
  create: () => WorkerLike = inBrowser,
): AlignmentWorker {
  signal.throwIfAborted();
  const worker = begin(create);
  let waiting: {
    resolve: (answer: never) => void;
    reject: (reason: unknown) => void;
    onProgress?: ((fraction: number) => void) | undefined;
  } | null = null;
  let failure: unknown;

  function fail(reason: unknown) {
    failure ??= reason;
    worker.terminate();
    signal.removeEventListener('abort', onAbort);
    waiting?.reject(failure);
    waiting = null;
  }
  const onAbort = () => fail(signal.reason);

  signal.addEventListener('abort', onAbort);
  worker.onerror = (event) => {
    event.preventDefault();
    fail(new WorkerFailed(event.message));
  };
  worker.onmessageerror = () => fail(new WorkerFailed('A message could not be read.'));
  worker.onmessage = ({ data }: MessageEvent<AlignmentAnswer | AlignmentProgress>) => {
    if (data.type === 'progress') return waiting?.onProgress?.(data.fraction);
    const { resolve } = waiting ?? {};
    waiting = null;
    resolve?.(data as never);
  };

  return {
    ask: (request, { transfer = [], onProgress } = {}) =>
      new Promise((resolve, reject) => {
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors
        if (failure !== undefined) return reject(failure);
        waiting = { resolve, reject, onProgress };
        worker.postMessage(request, transfer);
      }),
    end: () => fail(new WorkerFailed('The worker has ended.')),
  };
}

function begin(create: () => WorkerLike): WorkerLike {
  try {
    return create();
  } catch (error) {
    throw new WorkerFailed('Web workers are not available.', { cause: error });
  }
}
