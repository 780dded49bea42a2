import { Agent, request, type IncomingHttpHeaders } from 'node:http';

export type Ask = {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer;
};

export type Answered = { status: number; headers: IncomingHttpHeaders; bytes: number; ms: number };

/** A client that keeps its connections, as a browser does. @param connections how many it has at most */
export function clientOf(url: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const ask = ({ path, method = 'GET', headers = {}, body }: Ask) =>
    new Promise<Answered>((resolve, reject) => {
      const begun = performance.now();
      const asked = request(
        url + path,
        { agent, method, headers: { ...headers, ...(body && { 'content-length': body.length }) } },
        (answer) => {
          let bytes = 0;
          answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
          answer.on('end', () => {
            const { statusCode: status = 0, headers: given } = answer;
            resolve({ status, headers: given, bytes, ms: performance.now() - begun });
          });
          answer.on('error', reject);
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });
  return { ask, close: () => agent.destroy() };
}

/**
 * Sends requests, so many at once, until all are answered.
 * @param next what to ask as the n-th, or a promise of it
 * @throws Error at an answer with another status than expected
 */
export async function load(
  url: string,
  { atOnce, count, status }: { atOnce: number; count: number; status: number },
  next: (index: number) => Ask,
): Promise<Answered[]> {
  const client = clientOf(url, atOnce);
  const answers: Answered[] = [];
  let sent = 0;
  const one = async () => {
    while (sent < count) {
      const asked = next(sent++);
      const answered = await client.ask(asked);
      if (answered.status !== status) throw new Error(`${asked.path} was answered ${answered.status}`);
      answers.push(answered);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, one));
  } finally {
    client.close();
  }
  return answers;
}

/** The time within which this share of the requests was answered, in ms. */
export function quantile(answers: readonly Answered[], share: number): number {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
