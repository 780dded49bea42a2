import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../src/testing/client.ts';

/** One kind of action of a person, once. @returns the response's status */
export type Deed = (signal: AbortSignal) => Promise<number>;

export type Waits = {
  /** The 99th percentile and the median of the response times, in milliseconds. */
  p99: number;
  p50: number;
  answers: number;
  /** Responses that were errors, or did not arrive within ten seconds. */
  failures: number;
};

const PATIENCE_MS = 10_000;
const PAUSE_MS = 15;

/** Repeats these actions for a while, and reports the response times. */
export async function waitsOf(deeds: Deed[], forMs: number): Promise<Waits> {
  const taken: number[] = [];
  let failures = 0;
  for (const until = performance.now() + forMs; performance.now() < until;) {
    for (const deed of deeds) {
      const began = performance.now();
      const status = await deed(AbortSignal.timeout(PATIENCE_MS)).catch(() => 0);
      taken.push(performance.now() - began);
      if (status < 200 || status >= 400) failures += 1;
      await wait(PAUSE_MS);
    }
  }
  taken.sort((a, b) => a - b);
  const at = (share: number) => taken[Math.min(taken.length - 1, Math.floor(taken.length * share))] ?? 0;
  return { p99: at(0.99), p50: at(0.5), answers: taken.length, failures };
}

/** What a student's page requests, and 64 KiB of a melody as a player does. */
export function deedsOf(student: Client, melody: { id: number; audioUrl: string }): Deed[] {
  const asking = (path: string, headers: Record<string, string> = {}): Deed => {
    return async (signal) => (await student.get(path, { signal, headers })).status;
  };
  return [
    asking('/api/user'),
    asking(`/api/melodies/${melody.id}`),
    asking('/api/feedback/unread-count'),
    asking('/api/student/recordings'),
    asking(`/api/files/${melody.audioUrl}?type=audio`, { range: 'bytes=0-65535' }),
  ];
}
