import { setTimeout as wait } from 'node:timers/promises';
import type { Community } from '#testing/community.ts';
import { createSlowConnection, type SlowConnection } from '#testing/slow-connection.ts';
import { createTone } from '#testing/tone.ts';
import { createDevice } from './harness/device.ts';
import { chooseSubmissionFile, signIn } from './harness/submit-page.ts';

/** A connection in the mountains: 1.6 Mbit/s and 150 ms each way. */
const MOUNTAIN_CONNECTION = { bitsPerSecond: 1_600_000, upBitsPerSecond: 1_600_000, latencyMs: 150 };

const CUT_MS = 500;
const POLL_INTERVAL_MS = 10;
const PAGE_TIMEOUT_MS = 60_000;

export type SubmissionOutcome = { seconds: number; troubles: number; recordings: number; isWhole: boolean };

export async function cutConnectionBriefly(connection: SlowConnection) {
  connection.cut();
  await wait(CUT_MS);
  connection.restore();
}

/**
 * Submits a file in a real browser over a poor connection, which the test interrupts repeatedly.
 * @param trouble cuts the connection, or kills and restarts the server
 * @param options `songSeconds` is the length of the file, which has 64,000 bytes a second like a recording.
 *   `trouble` is called after every `everyBytes` of the upload, not after a time, because a fast machine
 *   would finish before the first interruption.
 */
export async function submitDespiteInterruptions(
  trouble: (connection: SlowConnection) => Promise<unknown>,
  options: { community: Community; songSeconds: number; everyBytes: number; timeoutMs: number },
): Promise<SubmissionOutcome> {
  const { community, songSeconds, everyBytes, timeoutMs } = options;
  const song = createTone(songSeconds, 220, 32_000);
  const student = await community.newStudent();
  const client = await community.as(student);
  const list = async () =>
    (await client.get('/api/student/recordings').catch(() => ({ body: [] }))).body as { audioUrl: string }[];
  const connection = await createSlowConnection({ to: community.url, ...MOUNTAIN_CONNECTION });
  const device = await createDevice(connection.url);
  let troubles = 0;
  let isOver = false;

  async function makeTrouble() {
    for (let last = connection.sent(); !isOver; await wait(POLL_INTERVAL_MS)) {
      if (connection.sent() - last < everyBytes) continue;
      await trouble(connection);
      troubles += 1;
      last = connection.sent();
    }
  }

  try {
    const page = await device.open();
    await signIn(page, student);
    await chooseSubmissionFile(page, 'From the mountains', song);
    await page.getByRole('button', { name: 'Submit to the teacher' }).click();
    const began = Date.now();
    const making = makeTrouble();
    while ((await list()).length === 0 && Date.now() - began < timeoutMs) await wait(250);
    const seconds = (Date.now() - began) / 1_000;
    isOver = true;
    await making;
    // Lists the recordings only after the page's confirmation, so that a duplicate from a late retry is found
    // too.
    const submitted = page.getByText('Your recording has been submitted to the teacher!').first();
    await submitted.waitFor({ timeout: PAGE_TIMEOUT_MS });
    const recordings = await list();
    const stored = recordings[0] && (await client.get(`/api/files/${recordings[0].audioUrl}?type=audio`));
    const isWhole = stored?.bytes.equals(song) ?? false;
    return { seconds, troubles, recordings: recordings.length, isWhole };
  } finally {
    isOver = true;
    await device.remove();
    await connection.end();
  }
}
