import { setTimeout as wait } from 'node:timers/promises';
import { randomOf } from '../src/demo/random.ts';
import { newDataFolder, startProgram } from '../src/testing/program.ts';
import { slowConnection } from '../src/testing/slow-connection.ts';
import { tone } from '../src/testing/tone.ts';
import { communityAt, TEACHER } from './community.ts';
import { newDevice } from './device.ts';
import { countKill, noFindings, type Findings } from './findings.ts';
import { keptAfterSweep, sha256Of } from './kept-data.ts';
import { chooseFile, signIn } from './submit-page.ts';

const SONG_SECONDS = 6;
const PATIENCE_MS = 60_000;

/**
 * Kills the server while a real browser sends to it, and restarts it at the same address: the browser goes on by
 * itself.
 */
export async function proveServerUnderBrowser(options: {
  runs: number;
  seed: string;
  tell: (sentence: string) => void;
}): Promise<Findings> {
  const { runs, seed, tell } = options;
  const findings = noFindings();
  const { dataDir, remove } = await newDataFolder();
  const environment = { ADMIN_PASSWORD: TEACHER.password, FFMPEG_PATH: 'none' };
  let program = await startProgram({ dataDir, environment });
  const port = Number(new URL(program.url).port);
  const connection = await slowConnection({
    to: program.url,
    bitsPerSecond: 50_000_000,
    upBitsPerSecond: 1_500_000,
    latencyMs: 10,
  });
  try {
    for (let run = 0; run < runs; run += 1) {
      const fraction = randomOf(`${seed} under browser ${run}`).between(0, 1.15);
      const title = `Run ${run}`;
      const song = tone(SONG_SECONDS, 200 + run, 32_000);
      const community = await communityAt(program.url);
      const device = await newDevice(connection.url);
      try {
        const page = await device.open();
        await signIn(page, await community.newStudent());
        await chooseFile(page, title, song);
        const before = connection.sent();
        await page.getByRole('button', { name: 'Submit to the teacher' }).click();
        const until = Date.now() + 10_000;
        while (connection.sent() - before < song.length * fraction && Date.now() < until) await wait(5);
        await program.end('SIGKILL');
        countKill(
          findings,
          'sending',
          `${Math.min(100, Math.floor(fraction * 4) * 25)} % of the way up, or more`,
        );
        program = await startProgram({ dataDir, environment, port });
        const submitted = page.getByText('Your recording has been submitted to the teacher!').first();
        await submitted.waitFor({ timeout: PATIENCE_MS }).catch(() => undefined);
      } finally {
        await device.remove();
      }
      const kept = await keptAfterSweep(dataDir);
      const found = kept.recordings.filter((recording) => recording.title === title);
      if (!found.some(({ sha256 }) => sha256 === sha256Of(song)))
        findings.lost.push(`${title} did not arrive whole`);
      findings.duplicates += Math.max(0, found.length - 1);
      const left = kept.orphanFiles.length + kept.rowsWithoutFile.length + kept.uploads.length;
      findings.orphans = Math.max(findings.orphans, left + kept.orphanChunks);
      findings.runs += 1;
      tell(
        `server kill under a browser ${run + 1} of ${runs}: at ${Math.round(fraction * 100)} % of the way up`,
      );
    }
  } finally {
    await connection.end();
    await program.end();
    await remove();
  }
  return findings;
}
