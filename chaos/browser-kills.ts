import type { Page } from '@playwright/test';
import { setTimeout as wait } from 'node:timers/promises';
import { readWav } from '../e2e/sound.ts';
import { createRandomGenerator, type RandomGenerator } from '#testing/random.ts';
import type { Community, TestCredentials } from '#testing/community.ts';
import { createSlowConnection, type SlowConnection } from '#testing/slow-connection.ts';
import { createDevice, type KillTarget } from './harness/device.ts';
import {
  recordFault,
  createFindings,
  drawFromShuffledDeck,
  type ChaosOptions,
  type Findings,
} from './harness/findings.ts';
import { createUploadGate, type UploadGate, type UploadMoment } from './harness/gate.ts';
import { submitOfferedTake, readRecordedSeconds, signIn } from './harness/submit-page.ts';

/** A safeguard in the browser that can be disabled for a run. */
export type BrowserSafeguard = 'device-store';

/** Phases of a recording, each with the maximum delay in ms from the start of the phase to the kill. */
const PHASES = {
  recording: 0,
  stopping: 200,
  queueing: 60,
  'waiting without a connection': 500,
  'sending a chunk': 0,
  'between two chunks': 1,
  committing: 40,
  'committed, without the response': 40,
  confirmed: 6,
};
type Phase = keyof typeof PHASES;

/** Phases to draw from. The phases that take longest occur more often. */
const PHASE_DECK: Phase[] = [
  'recording',
  'recording',
  'stopping',
  'queueing',
  ...(Object.keys(PHASES) as Phase[]),
];

/** Upload event that starts each phase, as reported by the gate (the proxy before the server). */
const MOMENTS: Partial<Record<Phase, UploadMoment>> = {
  'sending a chunk': { call: 'chunk', phase: 'requested' },
  'between two chunks': { call: 'chunk', phase: 'received' },
  committing: { call: 'commit', phase: 'requested' },
  'committed, without the response': { call: 'commit', phase: 'answered' },
  confirmed: { call: 'commit', phase: 'received' },
};

/**
 * Maximum loss if the browser is killed while it records or stops recording. Once the page has shown that the
 * recording is stopped, nothing may be lost.
 */
const MAX_LOSS_SECONDS = 1;

/** Upload rate, so low that a few seconds of audio take a while. */
const UP_BITS_PER_SECOND = 1_500_000;
const BYTES_PER_SECOND = 64_000;
const HEADER_BYTES = 44;

const PHASE_TIMEOUT_MS = 15_000;

/**
 * Size of one block of audio. A killed browser may have stored its last block without reporting it to this
 * test.
 */
const BLOCK_BYTES = 8_192;

type Options = ChaosOptions & {
  community: Community;
  without?: BrowserSafeguard;
  /** Phases to use in turn. By default, the seed determines the phases. */
  phases?: Phase[];
};

type Plan = {
  phase: Phase;
  target: KillTarget;
  seconds: number;
  afterMs: number;
  /** Share of the recording that is uploaded before the kill. Used only in the phase 'sending a chunk'. */
  fraction: number;
};

/**
 * Kills the browser, or only its pages, in different phases of a recording. Restarts the browser with the
 * same profile, signs in and submits the recording that the page offers. Then compares what arrives with the
 * length that the page showed and with the audio from the microphone.
 */
export async function runBrowserKills(options: Options): Promise<Findings> {
  const { runs, seed, community, phases, untilHarmed = false, report = () => undefined } = options;
  const findings = createFindings();
  const connection = await createSlowConnection({
    to: community.url,
    bitsPerSecond: 50_000_000,
    upBitsPerSecond: UP_BITS_PER_SECOND,
    latencyMs: 10,
  });
  try {
    for (let run = 0; run < runs; run += 1) {
      const phase = phases ? phases[run % phases.length]! : drawFromShuffledDeck(PHASE_DECK, seed, run);
      const plan = createPlan(createRandomGenerator(`${seed} browser ${run}`), phase);
      const loss = await runKill({ ...options, connection }, plan, findings);
      recordFault(findings, phase);
      report(`browser kill ${run + 1} of ${runs}: ${phase}, ${plan.target}, ${loss.toFixed(3)} s lost`);
      if (untilHarmed && findings.harm.length > 0) break;
    }
  } finally {
    await connection.end();
  }
  return findings;
}

const createPlan = (random: RandomGenerator, phase: Phase): Plan => ({
  phase,
  target: random.pick<KillTarget>(['browser', 'browser', 'page']),
  // Duration of the recording. Long enough for two chunks if the browser is killed between them.
  seconds: random.between(phase === 'between two chunks' ? 4.5 : 0.7, 6),
  afterMs: random.between(0, PHASES[phase]),
  fraction: random.between(0, 0.9),
});

/** Kills the browser once, as planned. @returns the seconds that were lost */
async function runKill(
  { community, without, connection }: Options & { connection: SlowConnection },
  plan: Plan,
  findings: Findings,
): Promise<number> {
  const student = await community.newStudent();
  const gate = await createUploadGate(connection.url);
  const device = await createDevice(gate.url, without === 'device-store' ? hideStore : undefined);
  try {
    const page = await device.open();
    await signIn(page, student);
    const kill = await device.prepareKill(plan.target);
    const shown = await recordUntil(page, plan, { connection, gate, isStored: without !== 'device-store' });
    kill();
    gate.open();
    const again = await device.open();
    const left = await submitOfferedTake(
      again,
      student,
      async () => (await listRecordings(community, student)).length,
    );
    if (left.takes + left.chunks > 0) findings.harm.push(`something is left on the device (${plan.phase})`);
    return await compareRecording(
      community,
      student,
      plan,
      { shown, heard: device.getReceivedAudio() },
      findings,
    );
  } finally {
    await device.remove();
    await gate.stop();
  }
}

/**
 * Records, and submits the recording if the phase requires it, until the planned moment of the kill.
 * @returns the recording's length as shown by the page, in seconds
 */
async function recordUntil(
  page: Page,
  { phase, seconds, afterMs, fraction }: Plan,
  { connection, gate, isStored }: { connection: SlowConnection; gate: UploadGate; isStored: boolean },
): Promise<number> {
  const press = (name: string) => page.getByRole('button', { name }).click();
  await page.goto('/submit');
  await page.getByLabel('Title').fill('Cut off');
  await press('Start recording');
  await page.getByText(/^Recording · /).waitFor();
  await wait(seconds * 1_000);
  const shown = await readRecordedSeconds(page);
  if (phase === 'recording') return shown;
  await press('Stop recording');
  if (phase !== 'stopping') {
    await page.getByRole('button', { name: 'Record Again' }).waitFor();
    if (phase === 'waiting without a connection') gate.close();
    const moment = MOMENTS[phase];
    const before = connection.sent();
    await Promise.all([moment && gate.waitFor(moment, PHASE_TIMEOUT_MS), press('Submit to the teacher')]);
    // The page shows this message only if the device can store recordings.
    if (phase === 'waiting without a connection' && isStored)
      await page.getByText('is safe on this device').waitFor();
    if (phase === 'sending a chunk') {
      const bytes = before + shown * BYTES_PER_SECOND * fraction;
      const until = Date.now() + PHASE_TIMEOUT_MS;
      while (connection.sent() < bytes && Date.now() < until) await wait(5);
    }
  }
  await wait(afterMs);
  return shown;
}

/**
 * Compares the recording that arrived with the length that the page showed and with the audio from the
 * microphone.
 * @returns the seconds that were lost
 */
async function compareRecording(
  community: Community,
  student: TestCredentials,
  { phase }: Plan,
  { shown, heard }: { shown: number; heard: Buffer },
  findings: Findings,
): Promise<number> {
  const recordings = await listRecordings(community, student);
  if (recordings.length > 1) findings.harm.push(`${recordings.length} recordings arrived (${phase})`);
  let kept = 0;
  if (recordings[0]) {
    const client = await community.as(student);
    const { bytes } = await client.get(`/api/files/${recordings[0].audioUrl}?type=audio`);
    kept = readWav(bytes).seconds;
    if (!matchesMicrophone(bytes, heard))
      findings.harm.push(`what arrived is not what the page heard (${phase})`);
  }
  const loss = Math.max(0, shown - kept);
  const allowed = phase === 'recording' || phase === 'stopping' ? MAX_LOSS_SECONDS : 0;
  if (loss > allowed) findings.harm.push(`${loss.toFixed(2)} of ${shown.toFixed(2)} s are gone (${phase})`);
  return loss;
}

/**
 * Returns whether a recording has the same bytes, from its start, as the audio that the page received from
 * the microphone. The recording may be shorter, or at most one block longer.
 */
function matchesMicrophone(wav: Buffer, heard: Buffer): boolean {
  const sound = wav.subarray(HEADER_BYTES);
  const known = Math.min(sound.length, heard.length);
  return (
    sound.length <= heard.length + BLOCK_BYTES && sound.subarray(0, known).equals(heard.subarray(0, known))
  );
}

const listRecordings = async (community: Community, student: TestCredentials) =>
  (await (await community.as(student)).get('/api/student/recordings')).body as { audioUrl: string }[];

/** Hides IndexedDB from the page. Runs in the page. */
function hideStore() {
  Object.defineProperty(window, 'indexedDB', { value: undefined });
}
