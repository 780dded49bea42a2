import type { Page } from '@playwright/test';
import { setTimeout as wait } from 'node:timers/promises';
import { readWav } from '../e2e/sound.ts';
import { randomOf, type Random } from '../src/demo/random.ts';
import type { Client } from '../src/testing/client.ts';
import { slowConnection, type SlowConnection } from '../src/testing/slow-connection.ts';
import type { Community, Person } from './community.ts';
import { newDevice, type Target } from './device.ts';
import { dealt } from './deck.ts';
import { countKill, noFindings, type Findings } from './findings.ts';
import { newGate, type Gate, type Moment } from './gate.ts';
import { faultOf } from './known-signal.ts';
import { comeBack, onDevice, shownSeconds, signIn } from './submit-page.ts';

/** A safety of the browser's that can be disabled from outside. */
export type BrowserSafety = 'device-store';

/** Where a take is when the browser is killed: from its first sound to its saved copy on the device. */
const PHASES = [
  'recording',
  'stopping',
  'queueing',
  'waiting without a connection',
  'sending a chunk',
  'between two chunks',
  'committing',
  'committed, unheard',
  'confirmed',
] as const;
export type Phase = (typeof PHASES)[number];

/** How often each occurs: recording takes longest. */
const CARDS: readonly Phase[] = ['recording', 'recording', 'stopping', 'queueing', ...PHASES];

type Options = {
  runs: number;
  seed: string;
  community: Community;
  without?: BrowserSafety;
  untilFound?: boolean;
  /** In turn, instead of drawn by the seed. */
  phases?: Phase[];
  tell?: (sentence: string) => void;
};

/** Of a recording that is cut off; of one that was stopped, nothing may be lost. */
const MAY_LOSE_SECONDS = 1;

/** So that a few seconds of sound take a while to upload. */
const UP_BITS_PER_SECOND = 1_500_000;

const BYTES_PER_SECOND = 64_000;

/** Timeout for a phase; the kill happens anyway, and the table shows where it struck. */
const PHASE_PATIENCE_MS = 15_000;

/**
 * Kills the browser with SIGKILL in each phase of a take's way, restarts it with the same profile, signs in, accepts
 * what is offered, and compares what arrives with what the page had shown and the microphone received.
 */
export async function proveBrowser(options: Options): Promise<Findings> {
  const { runs, seed, community, phases, untilFound = false, tell = () => undefined } = options;
  const findings = noFindings();
  const connection = await slowConnection({
    to: community.url,
    bitsPerSecond: 50_000_000,
    upBitsPerSecond: UP_BITS_PER_SECOND,
    latencyMs: 10,
  });
  try {
    for (let run = 0; run < runs; run += 1) {
      const phase = phases ? phases[run % phases.length]! : dealt(CARDS, seed, run);
      const plan = planOf(randomOf(`${seed} browser ${run}`), phase);
      const { loss, state } = await oneRun({ ...options, connection }, plan, findings);
      countKill(findings, plan.phase, state);
      findings.runs += 1;
      tell(
        `browser kill ${run + 1} of ${runs}: ${plan.phase} (${state}), ${plan.target}, ${loss.toFixed(3)} s lost`,
      );
      if (untilFound && findings.lost.length > 0) break;
    }
  } finally {
    await connection.end();
  }
  return findings;
}

type Plan = {
  phase: Phase;
  target: Target;
  seconds: number;
  /** After the moment that begins the phase. */
  afterMs: number;
  /** Of a file being uploaded, the share that has been sent. */
  fraction: number;
};

/** The maximum delay of the kill after the start of the phase; some phases are short, or lead into the next. */
const WITHIN_MS: Record<Phase, number> = {
  recording: 0,
  stopping: 200,
  queueing: 60,
  'waiting without a connection': 500,
  'sending a chunk': 0,
  'between two chunks': 1,
  committing: 40,
  'committed, unheard': 40,
  confirmed: 6,
};

function planOf(random: Random, phase: Phase): Plan {
  return {
    phase,
    target: random.pick<Target>(['browser', 'browser', 'page']),
    // More than one chunk where there are to be two.
    seconds: random.between(phase === 'between two chunks' ? 4.5 : 0.7, 6),
    afterMs: random.between(0, WITHIN_MS[phase]),
    fraction: random.between(0, 0.9),
  };
}

/** @returns the seconds that were lost, and the state in which the kill found things */
async function oneRun(
  { community, without, connection }: Options & { connection: SlowConnection },
  plan: Plan,
  findings: Findings,
) {
  const student = await community.newStudent();
  const gate = await newGate(connection.url);
  const device = await newDevice(gate.url, without === 'device-store' ? hideStore : undefined);
  try {
    const page = await device.open();
    await signIn(page, student);
    const kill = await device.aim(plan.target);
    const shown = await recordUntil(page, plan, { connection, gate, isKept: without !== 'device-store' });
    kill();
    const where = gate.where();
    gate.open();
    const again = await device.open();
    const state = `${where}; ${await onDevice(again)}`;
    const left = await comeBack(again, student, () => recordingsOf(community, student));
    const arrived = { shown, left, heard: device.heard() };
    return { state, loss: await judge(await community.as(student), plan, arrived, findings) };
  } finally {
    await device.remove();
    await gate.end();
  }
}

/** @returns the recording's length as shown by the page */
async function recordUntil(
  page: Page,
  { phase, seconds, afterMs, fraction }: Plan,
  { connection, gate, isKept }: { connection: SlowConnection; gate: Gate; isKept: boolean },
): Promise<number> {
  const press = (name: string) => page.getByRole('button', { name }).click();
  await page.goto('/submit');
  await page.getByLabel('Title').fill('Cut off');
  await press('Start recording');
  await page.getByText(/^Recording · /).waitFor();
  await wait(seconds * 1_000);
  const shown = await shownSeconds(page);
  if (phase === 'recording') return shown;
  await press('Stop recording');
  if (phase !== 'stopping') {
    await page.getByRole('button', { name: 'Record Again' }).waitFor();
    if (phase === 'waiting without a connection') gate.close();
    const moment = MOMENTS[phase];
    const reached = moment && gate.reached(moment, PHASE_PATIENCE_MS);
    const before = connection.sent();
    await press('Submit to the teacher');
    await reached;
    // The page does not claim what the device does not store.
    if (phase === 'waiting without a connection' && isKept)
      await page.getByText('is safe on this device').waitFor();
    if (phase === 'sending a chunk') await hasSent(connection, before + shown * BYTES_PER_SECOND * fraction);
  }
  await wait(afterMs);
  return shown;
}

/** What begins a phase, as seen by the gate. */
const MOMENTS: Partial<Record<Phase, Moment>> = {
  'sending a chunk': { call: 'chunk', is: 'asked' },
  'between two chunks': { call: 'chunk', is: 'heard' },
  committing: { call: 'commit', is: 'asked' },
  'committed, unheard': { call: 'commit', is: 'answered' },
  confirmed: { call: 'commit', is: 'heard' },
};

async function hasSent(connection: SlowConnection, bytes: number) {
  const until = Date.now() + PHASE_PATIENCE_MS;
  while (connection.sent() < bytes && Date.now() < until) await wait(5);
}

async function judge(
  client: Client,
  { phase }: Plan,
  { shown, left, heard }: { shown: number; left: { takes: number; chunks: number }; heard: Buffer },
  findings: Findings,
): Promise<number> {
  const recordings = (await client.get('/api/student/recordings')).body as { audioUrl: string }[];
  findings.duplicates += Math.max(0, recordings.length - 1);
  findings.orphans += left.takes + left.chunks;
  let kept = 0;
  if (recordings[0]) {
    const { bytes } = await client.get(`/api/files/${recordings[0].audioUrl}?type=audio`);
    kept = readWav(bytes).seconds;
    const fault = faultOf(bytes, heard);
    if (fault) findings.lost.push(`what arrived is not what was sung: ${fault}`);
  }
  const loss = Math.max(0, shown - kept);
  findings.longestLossSeconds = Math.max(findings.longestLossSeconds, loss);
  const allowed = phase === 'recording' || phase === 'stopping' ? MAY_LOSE_SECONDS : 0;
  if (loss > allowed) findings.lost.push(`${loss.toFixed(2)} of ${shown.toFixed(2)} s are gone (${phase})`);
  return loss;
}

async function recordingsOf(community: Community, student: Person): Promise<number> {
  const { body } = await (await community.as(student)).get('/api/student/recordings');
  return (body as unknown[]).length;
}

/** Runs in the page. */
function hideStore() {
  Object.defineProperty(window, 'indexedDB', { value: undefined });
}
