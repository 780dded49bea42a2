import { randomUUID } from 'node:crypto';
import { cutCall, type Received, type Moment, type Sent } from './cut-call.ts';
import { sha256Of } from './kept-data.ts';

/** Where in the upload of a take the server is killed; 'form' is the single request with the whole file in it. */
export type Step = 'begin' | 'chunk' | 'commit' | 'form';

/** A safety of the server's that can be disabled from outside. */
export type ServerSafety = 'idempotency' | 'durable-order';

export type Take = { clientId: string; title: string; bytes: Buffer; chunkSize: number };

/** What the server has confirmed: recordings by title with their hash, and how much of each upload. */
export type Promised = {
  recordings: Map<string, string>;
  chunks: Map<string, { take: Take; received: number }>;
};

/** The connection broke, or there is no server. */
class NoAnswer extends Error {}

/**
 * Sends one take as the browser's take-sender does: starts or resumes, sends chunks, commits; tries the commit first
 * when an earlier attempt may have got so far. In the request that the plan names it kills the server.
 */
export function senderOf(options: {
  take: Take;
  cookie: string;
  promised: Promised;
  plan: { step: Step; moment: Moment; chunk: number };
  fileAppears: (signal: AbortSignal) => Promise<void>;
  without: ServerSafety | undefined;
}) {
  const { take, cookie, promised, plan, fileAppears, without } = options;
  let mayHaveArrived = false;
  let isKilled = false;
  let wasHeard = false;
  let chunks = 0;

  /** @returns whether the take is there, according to the server so far */
  async function trySend(url: string, kill: (() => void) | null): Promise<boolean> {
    const call = (step: Step, sent: Omit<Sent, 'url'> & { path: string }, promises: Received) =>
      heardFrom(url, kill, step, sent, promises);
    try {
      if (plan.step === 'form')
        await confirm(await call('form', await formOf(true), { status: 201, body: {} }));
      else if (!mayHaveArrived || !(await commit(call, true))) {
        await upload(call);
        mayHaveArrived = true;
        await commit(call, false);
      }
      return true;
    } catch (error) {
      if (error instanceof NoAnswer) return false;
      throw error;
    }
  }

  type Call = (
    step: Step,
    sent: Omit<Sent, 'url'> & { path: string },
    promises: Received,
  ) => Promise<Received>;

  async function upload(call: Call) {
    const path = `/api/uploads/${take.clientId}`;
    const json = { 'content-type': 'application/json' };
    const size = take.bytes.length;
    const begun = await call(
      'begin',
      { method: 'PUT', path, headers: json, body: Buffer.from(JSON.stringify({ size })) },
      { status: 200, body: { received: 0 } },
    );
    let received = receivedOf(begun);
    while (received < size) {
      const body = take.bytes.subarray(received, received + take.chunkSize);
      const appended = await call(
        'chunk',
        {
          method: 'PATCH',
          path: `${path}?start=${received}`,
          headers: { 'content-type': 'application/octet-stream' },
          body,
        },
        { status: 200, body: { received: received + body.length } },
      );
      received = receivedOf(appended);
      promised.chunks.set(take.clientId, { take, received });
    }
  }

  /** @returns whether it is there; false only if `mayBeMissing` */
  async function commit(call: Call, mayBeMissing: boolean): Promise<boolean> {
    const heard = await call('commit', await formOf(false), { status: 201, body: {} });
    if (heard.status === 409 && mayBeMissing) return false;
    await confirm(heard);
    return true;
  }

  async function confirm({ status }: Received) {
    if (status !== 200 && status !== 201) throw new Error(`${take.title} was answered with ${status}`);
    promised.recordings.set(take.title, sha256Of(take.bytes));
    promised.chunks.delete(take.clientId);
  }

  /** @param promises what a server would say that responds before it has written anything */
  async function heardFrom(
    url: string,
    kill: (() => void) | null,
    step: Step,
    { path, ...sent }: Omit<Sent, 'url'> & { path: string },
    promises: Received,
  ): Promise<Received> {
    const isKillPoint =
      kill !== null && !isKilled && plan.step === step && (step !== 'chunk' || chunks === plan.chunk);
    if (step === 'chunk') chunks += 1;
    const isEarly = isKillPoint && without === 'durable-order';
    const moment: Moment | null = isEarly ? { at: 'work', afterMs: 0 } : isKillPoint ? plan.moment : null;
    const heard = await cutCall(
      { ...sent, url: url + path, headers: { ...sent.headers, cookie } },
      moment,
      () => {
        isKilled = true;
        kill?.();
      },
      fileAppears,
    );
    if (isEarly) {
      note(step, promises);
      throw new NoAnswer();
    }
    if (!heard) throw new NoAnswer();
    if (isKillPoint) {
      // Received, and then the server was killed: it counts, and the next request finds no server.
      wasHeard = true;
      note(step, heard);
      throw new NoAnswer();
    }
    if (heard.status >= 500) throw new NoAnswer();
    return heard;
  }

  /** Holds the server to a response. */
  function note(step: Step, heard: Received) {
    if (step === 'chunk') promised.chunks.set(take.clientId, { take, received: receivedOf(heard) });
    else if (step !== 'begin' && (heard.status === 200 || heard.status === 201))
      promised.recordings.set(take.title, sha256Of(take.bytes));
  }

  async function formOf(withFile: boolean) {
    const form = new FormData();
    form.append('title', take.title);
    form.append('clientId', without === 'idempotency' ? randomUUID() : take.clientId);
    if (withFile)
      form.append('audio', new Blob([new Uint8Array(take.bytes)], { type: 'audio/wav' }), 'take.wav');
    else form.append('uploadId', take.clientId);
    const request = new Request('http://localhost', { method: 'POST', body: form });
    const headers = { 'content-type': request.headers.get('content-type') ?? '' };
    return {
      method: 'POST',
      path: '/api/recordings',
      headers,
      body: Buffer.from(await request.arrayBuffer()),
    };
  }

  return {
    trySend,
    isKilled: () => isKilled,
    /** Whether the request in which the server was killed had been answered. */
    wasHeard: () => wasHeard,
  };
}

function receivedOf({ status, body }: Received): number {
  const { received } = (body ?? {}) as { received?: number };
  if (status !== 200 || received === undefined) throw new Error(`An upload was answered with ${status}`);
  return received;
}
