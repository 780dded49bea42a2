import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { chromium, type Page } from '@playwright/test';
import { findChromium } from '../scripts/find-chromium.js';

// Functions that the benchmarks share: they send requests, compare alternatives, and report results.

/** Request header with the encodings that a browser accepts. */
export const BROWSER_ACCEPT_ENCODING_HEADER = { 'accept-encoding': 'gzip, deflate, br, zstd' };

/** @param more additional command-line arguments */
export function launchChromium(more: string[] = []) {
  const executablePath = findChromium();
  const sound = '--autoplay-policy=no-user-gesture-required';
  return chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', sound, ...more],
  });
}

export type MeasurementBound = { max: number } | { min: number };

let isWithin = true;

/**
 * Prints a measurement with its limit. If the measurement is outside the limit, the benchmark fails.
 * @param bound null for no limit
 */
export function reportMeasurement(
  what: string,
  value: number,
  bound: MeasurementBound | null,
  unit: string,
  more = '',
) {
  const holds = bound === null || ('max' in bound ? value <= bound.max : value >= bound.min);
  isWithin &&= holds;
  process.exitCode = isWithin ? 0 : 1;
  const limit = bound === null ? '' : 'max' in bound ? `(at most ${bound.max}) ` : `(at least ${bound.min}) `;
  const figure = value.toFixed(value >= 100 ? 0 : 2);
  const verdict = bound === null ? '     ' : holds ? 'holds' : 'FAILS';
  console.log(`${verdict}  ${what.padEnd(56)} ${figure.padStart(6)} ${limit}${unit}${more && `; ${more}`}`);
}

export const getMedian = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

export type LoadRequest = { path: string; method?: string; headers?: Record<string, string>; body?: Buffer };
export type LoadResponse = { status: number; headers: IncomingHttpHeaders; bytes: number; ms: number };

type LoadOptions = { atOnce: number; count: number; status: number };

/**
 * Sends `count` requests, at most `atOnce` at a time.
 * @param next returns the request with the given index
 * @throws Error if the status of a response is not the expected one
 */
export async function runLoadTest(url: string, options: LoadOptions, next: (index: number) => LoadRequest) {
  const { atOnce, count, status } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const answers: LoadResponse[] = [];
  try {
    await runInParallel(atOnce, count, async (index) => {
      const ask = next(index);
      const answer = await send(agent, url, ask);
      if (answer.status !== status) throw new Error(`${ask.path} was answered with ${answer.status}`);
      answers.push(answer);
    });
  } finally {
    agent.destroy();
  }
  return answers;
}

export async function runInParallel(
  atOnce: number,
  count: number,
  task: (index: number) => Promise<unknown>,
) {
  let begun = 0;
  const one = async () => {
    while (begun < count) await task(begun++);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

function send(agent: Agent, url: string, { path, method = 'GET', headers = {}, body }: LoadRequest) {
  return new Promise<LoadResponse>((resolve, reject) => {
    const begun = performance.now();
    const asked = request(
      url + path,
      { agent, method, headers: { ...headers, ...(body && { 'content-length': body.length }) } },
      (answer) => {
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
        answer.on('end', () => {
          const { statusCode = 0, headers: given } = answer;
          resolve({ status: statusCode, headers: given, bytes, ms: performance.now() - begun });
        });
        answer.on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

/** Returns the largest contentful paint (LCP) of the page so far, in ms since the navigation. */
export const getLargestContentfulPaint = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)!.startTime)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
      }),
  );

/** Returns a quantile of the response times, in ms. @param share between 0 and 1, such as 0.99 for the p99 */
export function getLatencyQuantile(answers: readonly LoadResponse[], share: number): number {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/**
 * Measures several alternatives in turn, round by round, so that other work on the machine affects all of
 * them alike.
 * @param ways for each alternative, a function that runs it once and returns the cost
 * @returns the costs of each alternative, one per round
 */
export async function measureAlternatives<K extends string>(
  rounds: number,
  ways: Record<K, () => Promise<number>>,
) {
  const names = Object.keys(ways) as K[];
  const costs = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, number[]>;
  for (let round = 0; round < rounds; round += 1)
    for (const name of names) costs[name].push(await ways[name]());
  return costs;
}

/**
 * Returns the median of the ratios of all rounds, not the ratio of the medians, because both measurements of
 * a round were made under the same load.
 */
export const getMedianRatio = (costs: number[], reference: number[]) =>
  getMedian(costs.map((cost, round) => cost / reference[round]!));

/**
 * Returns the CPU time of `work` per item, in ms.
 * @param count number of items that `work` handles
 * @param used returns the CPU time so far
 */
export async function measureCpuPerItem(
  count: number,
  used: () => Promise<number>,
  work: () => Promise<unknown>,
) {
  const before = await used();
  await work();
  return ((await used()) - before) / count;
}
