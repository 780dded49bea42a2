import { setTimeout as wait } from 'node:timers/promises';
import { slowConnection } from '../src/testing/slow-connection.ts';
import { tone } from '../src/testing/tone.ts';
import type { Community } from './community.ts';
import { newDevice } from './device.ts';
import { chooseFile, signIn } from './submit-page.ts';

/** A connection in the mountains: 1.6 Mbit/s both ways, and 150 ms each. */
const CONNECTION = { bitsPerSecond: 1_600_000, upBitsPerSecond: 1_600_000, latencyMs: 150 };

/** How often to look whether enough was sent for the next cut, in ms. */
const LOOK_EVERY = 10;

export type Arrival = { seconds: number; cuts: number; recordings: number; isWhole: boolean };

/**
 * Submits a file in a real browser over a poor connection that is cut again and again, for a moment each time.
 * @param songSeconds 64,000 bytes each, as the recorder makes them
 * @param cutEveryBytes how much goes up between two cuts: by time, a fast machine would be through before the first
 */
export async function sendOverPoorConnection(options: {
  community: Community;
  songSeconds: number;
  cutEveryBytes: number;
  cutForMs?: number;
  patienceMs: number;
}): Promise<Arrival> {
  const { community, songSeconds, cutEveryBytes, cutForMs = 500, patienceMs } = options;
  const song = tone(songSeconds, 220, 32_000);
  const student = await community.newStudent();
  const client = await community.as(student);
  const connection = await slowConnection({ to: community.url, ...CONNECTION });
  const device = await newDevice(connection.url);
  const ending = new AbortController();
  let cuts = 0;
  try {
    const page = await device.open();
    await signIn(page, student);
    await chooseFile(page, 'From the mountains', song);
    await page.getByRole('button', { name: 'Submit to the teacher' }).click();
    const began = Date.now();
    const cutting = cutAgainAndAgain();
    const listed = async () => (await client.get('/api/student/recordings')).body as { audioUrl: string }[];
    while ((await listed()).length === 0 && Date.now() - began < patienceMs) await wait(250);
    const seconds = (Date.now() - began) / 1_000;
    ending.abort();
    await cutting;
    // Retries would open a second one.
    await page
      .getByText('Your recording has been submitted to the teacher!')
      .first()
      .waitFor({ timeout: 60_000 });
    const recordings = await listed();
    const stored = recordings[0] && (await client.get(`/api/files/${recordings[0].audioUrl}?type=audio`));
    return { seconds, cuts, recordings: recordings.length, isWhole: stored?.bytes.equals(song) ?? false };
  } finally {
    ending.abort();
    await device.remove();
    await connection.end();
  }

  async function cutAgainAndAgain() {
    try {
      for (let sent = connection.sent(); ;) {
        await wait(LOOK_EVERY, undefined, { signal: ending.signal });
        if (connection.sent() - sent < cutEveryBytes) continue;
        connection.cut();
        cuts += 1;
        await wait(cutForMs, undefined, { signal: ending.signal });
        connection.mend();
        sent = connection.sent();
      }
    } catch {
      connection.mend();
    }
  }
}
