import { expect, test, vi } from 'vitest';
import { startAlignmentWorker, AlignmentWorkerError, type WorkerLike } from './alignment-worker.ts';
import type { AlignmentReply, AlignmentProgress } from './alignment-handler.ts';

vi.mock('./alignment.worker.ts?worker&url', () => ({ default: '' }));

function setUp() {
  const worker = {
    postMessage: vi.fn(),
    terminate: vi.fn(),
    onmessage: null as WorkerLike['onmessage'],
    onerror: null as WorkerLike['onerror'],
    onmessageerror: null as WorkerLike['onmessageerror'],
  };
  const ending = new AbortController();
  const started = startAlignmentWorker(ending.signal, () => worker);
  const say = (data: AlignmentReply | AlignmentProgress) =>
    worker.onmessage!.call(worker as unknown as Worker, new MessageEvent('message', { data }));
  return { worker, ending, started, say };
}

const find = {
  ...({ type: 'find', starts: [] } as const),
  melody: { frames: 0, pitch: new Float32Array(), bands: new Float32Array() },
  take: { frames: 0, pitch: new Float32Array(), bands: new Float32Array() },
};

test('reports progress, then resolves with the reply', async () => {
  const { worker, started, say } = setUp();
  const onProgress = vi.fn();
  const answered = started.send(find, { onProgress });
  expect(worker.postMessage).toHaveBeenCalledWith(find, []);
  say({ type: 'progress', fraction: 0.5 });
  say({ type: 'lines', lines: [] });
  expect(await answered).toEqual({ type: 'lines', lines: [] });
  expect(onProgress.mock.calls).toEqual([[0.5]]);
  expect(worker.terminate).not.toHaveBeenCalled();
});

test('aborting terminates the worker and rejects later requests', async () => {
  const { worker, ending, started, say } = setUp();
  const answered = started.send(find);
  ending.abort(new Error('left'));
  expect(worker.terminate).toHaveBeenCalledTimes(1);
  await expect(answered).rejects.toThrow('left');
  say({ type: 'lines', lines: [] });
  await expect(started.send({ type: 'end' })).rejects.toThrow('left');
  expect(worker.postMessage).toHaveBeenCalledTimes(1);
  expect(() => startAlignmentWorker(ending.signal, () => worker)).toThrow('left');
});

test('throws AlignmentWorkerError if the worker crashes or can’t be started', async () => {
  const { worker, started } = setUp();
  const answered = started.send(find);
  const event = { message: 'out of memory', preventDefault: vi.fn() };
  worker.onerror!.call(worker as unknown as Worker, event as unknown as ErrorEvent);
  await expect(answered).rejects.toThrow(AlignmentWorkerError);
  expect(event.preventDefault).toHaveBeenCalled();
  expect(worker.terminate).toHaveBeenCalled();
  const { signal } = new AbortController();
  expect(() =>
    startAlignmentWorker(signal, () => {
      throw new ReferenceError('Worker is not defined');
    }),
  ).toThrow(AlignmentWorkerError);
});
