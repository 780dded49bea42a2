import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export type Sent = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer;
};

/** A response that was received completely: from then on the server has promised what it says. */
export type Received = { status: number; body: unknown };

/**
 * The moment of a request in which the server is killed: half of the body sent; all of it sent, and some milliseconds
 * later; a file has appeared; the response begun but not received; the response received.
 */
export type Moment = { at: 'body' | 'work' | 'file' | 'answer' | 'after'; afterMs: number };

/**
 * A request that may be its server's last.
 * @param kill kills the server; called once if there is a moment
 * @param fileAppears resolves when the server has put a new file into the store, or at the signal
 * @returns the response; null if it was not received
 */
export async function cutCall(
  sent: Sent,
  moment: Moment | null,
  kill: () => void,
  fileAppears: (signal: AbortSignal) => Promise<void>,
): Promise<Received | null> {
  let isKilled = false;
  const killOnce = () => {
    if (!isKilled && moment) kill();
    isKilled = true;
  };
  const asked = request(sent.url, {
    method: sent.method,
    agent: false,
    headers: { ...sent.headers, 'content-length': sent.body.length },
  });
  asked.on('error', () => undefined);
  const answer = new Promise<Received | null>((resolve) => {
    asked.on('close', () => resolve(null));
    asked.on('response', (response) => {
      if (moment?.at === 'answer') {
        killOnce();
        response.destroy();
        return resolve(null);
      }
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(null));
      response.on('end', () => {
        if (!response.complete) return resolve(null);
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, body: text === '' ? null : JSON.parse(text) });
      });
    });
  });

  if (moment?.at === 'body') {
    asked.write(sent.body.subarray(0, Math.ceil(sent.body.length / 2)));
    await wait(moment.afterMs);
    killOnce();
  } else {
    const ending = new AbortController();
    const appears = moment?.at === 'file' ? fileAppears(ending.signal) : null;
    asked.end(sent.body);
    if (moment?.at === 'work') {
      await Promise.race([once(asked, 'finish'), answer]);
      await wait(moment.afterMs);
      killOnce();
    }
    if (appears) {
      await Promise.race([appears.then(killOnce), answer]);
      ending.abort();
    }
  }
  const heard = await answer;
  killOnce();
  return heard;
}
