import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { ATTACKS, type Attack, type Given } from './attacks.ts';

// One attack in a thread of its own, so that it does not hold up whoever measures. Ends with the thread.

const { attack, given } = workerData as { attack: Attack; given: Given };
const counts: Record<string, number> = {};
const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1);
parentPort!.on('message', () => parentPort!.postMessage(counts));
await ATTACKS[attack](given, count);
for (;;) await wait(1000);
