import type { Page } from '@playwright/test';
import { setTimeout as wait } from 'node:timers/promises';
import { readWav } from '../e2e/sound.ts';
import { randomOf, type Random } from '../src/demo/random.ts';
import type { Client } from '../src/testing/client.ts';
import { thinLine, type ThinLine } from '../src/testing/thin-line.ts';
import type { Community, Person } from './community.ts';
import { newDevice, type Target } from './device.ts';
import { countKill, noFindings, type Findings } from './findings.ts';
import { faultOf } from './known-signal.ts';
import { comeBack, shownSeconds, signIn } from './submit-page.ts';

/** A safety of the browser's that can be taken away from outside. */
export type BrowserSafety = 'device-store';

type Phase = 'recording' | 'stopping' | 'queueing' | 'uploading';

type Options = {
  runs: number;
  seed: string;
  community: Community;
  without?: BrowserSafety;
  untilFound?: boolean;
  /** Instead of what the seed would draw, in turn. */
  phases?: Phase[];
  /** Seconds that may be lost of a recording that is cut off; of one that was stopped, nothing may. */
  mayLose?: number;
  tell?: (sentence: string) => void;
};

const MAY_LOSE_SECONDS = 1;

/** So that a few seconds of sound are a while on their way. */
const UP_BITS_PER_SECOND = 1_500_000;

/**
 * Kills the browser with SIGKILL while it records, stops, queues and uploads, starts it again on the same profile,
 * signs in, takes what is offered, and compares what arrives with what the page had shown and the microphone heard.
 */
export async function proveBrowser(options: Options): Promise<Findings> {
  const { runs, seed, community, phases, untilFound = false, tell = () => undefined } = options;
  const findings = noFindings();
  const line = await thinLine({
    to: community.url,
    bitsPerSecond: 50_000_000,
    upBitsPerSecond: UP_BITS_PER_SECOND,
    latencyMs: 10,
  });
  try {
    for (let run = 0; run < runs; run += 1) {
      const plan = planOf(randomOf(`${seed} browser ${run}`), phases?.[run % phases.length]);
      const loss = await oneRun({ ...options, line }, plan, findings);
      findings.runs += 1;
      tell(`browser kill ${run + 1} of ${runs}: ${plan.phase}, ${plan.target}, ${loss.toFixed(3)} s lost`);
      if (untilFound && findings.lost.length > 0) break;
    }
  } finally {
    await line.end();
  }
  return findings;
}

type Plan = {
  phase: Phase;
  target: Target;
  seconds: number;
  /** After the press that begins the phase. */
  afterMs: number;
  /** Of the file, on its way up; a little over 1 is in the commit. */
  afterFraction: number;
};

function planOf(random: Random, phase?: Phase): Plan {
  const drawn = random.pick<Phase>([
    'recording',
    'recording',
    'recording',
    'stopping',
    'queueing',
    'uploading',
    'uploading',
  ]);
  return {
    phase: phase ?? drawn,
    target: random.pick<Target>(['browser', 'browser', 'page']),
    seconds: random.between(0.7, 6),
    afterMs: random.between(0, 200),
    afterFraction: random.between(0, 1.1),
  };
}

/** @returns the seconds that were lost */
async function oneRun(
  { community, without, line, mayLose = MAY_LOSE_SECONDS }: Options & { line: ThinLine },
  plan: Plan,
  findings: Findings,
): Promise<number> {
  const student = await community.newStudent();
  const device = await newDevice(line.url, without === 'device-store' ? hideStore : undefined);
  try {
    const page = await device.open();
    await signIn(page, student);
    const kill = await device.aim(plan.target);
    const shown = await recordUntil(page, plan, line, kill);
    countKill(findings, plan.phase);
    const again = await device.open();
    const left = await comeBack(again, student, () => recordingsOf(community, student));
    return await judge(
      await community.as(student),
      { ...plan, mayLose },
      { shown, left, heard: device.heard() },
      findings,
    );
  } finally {
    await device.remove();
  }
}

/** @returns what the page had shown of the recording's length */
async function recordUntil(page: Page, plan: Plan, line: ThinLine, kill: () => void): Promise<number> {
  const { phase, seconds, afterMs, afterFraction } = plan;
  await page.goto('/submit');
  await page.getByLabel('Title').fill('Cut off');
  await page.getByRole('button', { name: 'Start recording' }).click();
  await page.getByText(/^Recording · /).waitFor();
  await wait(seconds * 1_000);
  const shown = await shownSeconds(page);
  if (phase === 'recording') {
    kill();
    return shown;
  }
  await page.getByRole('button', { name: 'Stop recording' }).click();
  if (phase === 'stopping') {
    await wait(afterMs);
    kill();
    return shown;
  }
  await page.getByRole('button', { name: 'Record Again' }).waitFor();
  const before = line.sent();
  await page.getByRole('button', { name: 'Submit to the teacher' }).click();
  await wait(phase === 'queueing' ? afterMs : 0);
  const until = Date.now() + 10_000;
  while (phase === 'uploading' && line.sent() - before < shown * 64_000 * afterFraction && Date.now() < until)
    await wait(5);
  kill();
  return shown;
}

async function judge(
  client: Client,
  { phase, mayLose }: Plan & { mayLose: number },
  { shown, left, heard }: { shown: number; left: { takes: number; pieces: number }; heard: Buffer },
  findings: Findings,
): Promise<number> {
  const recordings = (await client.get('/api/student/recordings')).body as { audioUrl: string }[];
  findings.duplicates += Math.max(0, recordings.length - 1);
  findings.orphans += left.takes + left.pieces;
  let kept = 0;
  if (recordings[0]) {
    const { bytes } = await client.get(`/api/files/${recordings[0].audioUrl}?type=audio`);
    kept = readWav(bytes).seconds;
    const fault = faultOf(bytes, heard);
    if (fault) findings.lost.push(`what arrived is not what was sung: ${fault}`);
  }
  const loss = Math.max(0, shown - kept);
  findings.longestLossSeconds = Math.max(findings.longestLossSeconds, loss);
  const allowed = phase === 'recording' || phase === 'stopping' ? mayLose : 0;
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
