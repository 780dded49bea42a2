import workerUrl from './alignment.worker.ts?worker&url';
import type { AlignmentReply, AlignmentProgress, AlignmentRequest } from './alignment-handler.ts';

/** The part of `Worker` that is used here. Tests pass a fake. */
export type WorkerLike = Pick<
  Worker,
  'postMessage' | 'terminate' | 'onmessage' | 'onerror' | 'onmessageerror'
>;

/** Thrown if the worker could not be started, or has crashed. */
export class AlignmentWorkerError extends Error {}

type ReplyTo<R extends AlignmentRequest> = Extract<
  AlignmentReply,
  { type: { hear: 'heard'; end: 'features'; find: 'lines'; compare: 'contours' }[R['type']] }
>;

export type AlignmentWorker = {
  /**
   * Sends a request. Callers must wait for the reply before sending the next request.
   * @throws AlignmentWorkerError; the signal's abort reason
   */
  send<R extends AlignmentRequest>(
    request: R,
    options?: { transfer?: Transferable[]; onProgress?: ((fraction: number) => void) | undefined },
  ): Promise<ReplyTo<R>>;
  end(): void;
};

/**
 * Creates the worker. The build is one IIFE, which also runs in browsers that ignore `type: 'module'`. In
 * development, the worker is a real module and needs the option.
 */
const createBrowserWorker = (): WorkerLike => new Worker(workerUrl, { type: 'module', name: 'alignment' });

/** Starts a worker. Aborting the signal terminates it immediately, even during a request. */
export function startAlignmentWorker(
  signal: AbortSignal,
  create: () => WorkerLike = createBrowserWorker,
): AlignmentWorker {
  signal.throwIfAborted();
  const worker = createOrThrow(create);
  let pending: {
    resolve: (answer: never) => void;
    reject: (reason: unknown) => void;
    onProgress?: ((fraction: number) => void) | undefined;
  } | null = null;
  let failure: unknown;

  function fail(reason: unknown) {
    failure ??= reason;
    worker.terminate();
    signal.removeEventListener('abort', onAbort);
    pending?.reject(failure);
    pending = null;
  }
  const onAbort = () => fail(signal.reason);

  signal.addEventListener('abort', onAbort);
  worker.onerror = (event) => {
    event.preventDefault();
    fail(new AlignmentWorkerError(event.message));
  };
  worker.onmessageerror = () => fail(new AlignmentWorkerError('A message could not be read.'));
  worker.onmessage = ({ data }: MessageEvent<AlignmentReply | AlignmentProgress>) => {
    if (data.type === 'progress') return pending?.onProgress?.(data.fraction);
    const { resolve } = pending ?? {};
    pending = null;
    resolve?.(data as never);
  };

  return {
    send: (request, { transfer = [], onProgress } = {}) =>
      new Promise((resolve, reject) => {
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors
        if (failure !== undefined) return reject(failure);
        pending = { resolve, reject, onProgress };
        worker.postMessage(request, transfer);
      }),
    end: () => fail(new AlignmentWorkerError('The worker has ended.')),
  };
}

function createOrThrow(create: () => WorkerLike): WorkerLike {
  try {
    return create();
  } catch (error) {
    throw new AlignmentWorkerError('Web workers are not available.', { cause: error });
  }
}
