import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { s3EnvironmentOf, startS3, whyNoCeph } from '../src/testing/ceph.ts';
import { Client } from '../src/testing/client.ts';
import { whyNoNginx } from '../src/testing/nginx.ts';
import { newDataFolder, startProgram } from '../src/testing/program.ts';
import { startScaledProgram, type ScaledProgram } from '../src/testing/scaled-program.ts';
import { wavFile } from '../src/testing/tone.ts';
import { load, type Ask } from './load.ts';
import { cpuMsOf, cpuMsOfAll } from './process-usage.ts';

const ROUNDS = 6;
const KILLS = 4;
const PART = 64 * 1024;
const PASSWORD = 'teacher-pass';
const SONG = wavFile(30, 32_000, (second) => 12_000 * Math.sin(second * 1_400));

/** Where its client and the database leave cores to two processes. */
const CORES = 6;

export const bounds = {
  /** Times the CPU time with media on disk. */
  s3: 4,
  /** Of the rate of one process. */
  twoProcesses: 1.6,
  /** In ms, of reads while one of two processes is killed. */
  gap: 250,
};

type Tell = (what: string, value: number, bound: { most?: number; least?: number }, unit: string) => void;

/** What a song costs the program when it comes from an S3 store, beside the disk. */
export async function measureS3(tell: Tell) {
  const missing = whyNoCeph();
  if (missing) return console.log(`skips  an S3 store: ${missing}`);
  const store = await startS3();
  const disk = await startWithSong({});
  const s3 = await startWithSong(s3EnvironmentOf(store.s3));
  try {
    for (const [what, part, count, atOnce] of [
      ['a part of 64 KiB of a song', true, 1_000, 32],
      ['a whole song of 1.8 MiB', false, 150, 8],
    ] as const) {
      const least = { disk: Infinity, s3: Infinity };
      for (let round = 0; round < ROUNDS; round += 1)
        for (const [name, { program, ask }] of Object.entries({ disk, s3 }) as ['disk', typeof disk][]) {
          const before = await cpuMsOfAll(program);
          await load(program.url, { atOnce, count, status: part ? 206 : 200 }, ask(part));
          least[name] = Math.min(least[name], ((await cpuMsOfAll(program)) - before) / count);
        }
      tell(
        `${what} from S3`,
        least.s3 / least.disk,
        { most: bounds.s3 },
        `times the CPU time with media on disk; ${least.s3.toFixed(2)} ms against ${least.disk.toFixed(2)} ms`,
      );
    }
  } finally {
    await disk.end();
    await s3.end();
    await store.end();
  }
}

/**
 * How much more two processes behind nginx answer than one. With few cores the client and the database are in their way;
 * then what two would answer is computed from the CPU time that a request costs the busier of them.
 */
export async function measureTwoProcesses(tell: Tell) {
  const missing = whyNoNginx();
  if (missing) return console.log(`skips  two processes: ${missing}`);
  const scaled = await startScaledProgram({ ADMIN_PASSWORD: PASSWORD });
  try {
    const { ask } = await withSong(scaled.url);
    const [first] = scaled.programs;
    const shapes = { one: first!.url, two: scaled.url };
    const count = 1_500;
    const best = { one: { rate: 0, ms: Infinity }, two: { rate: 0, ms: Infinity } };
    for (let round = 0; round < ROUNDS; round += 1)
      for (const shape of ['one', 'two'] as const) {
        const used = () => Promise.all(scaled.programs.map(({ child }) => cpuMsOf(child.pid!)));
        const [before, began] = [await used(), performance.now()];
        await load(shapes[shape], { atOnce: 64, count, status: 206 }, ask(true));
        const seconds = (performance.now() - began) / 1000;
        const after = await used();
        const busiest = Math.max(...after.map((ms, at) => ms - before[at]!));
        const { rate, ms } = best[shape];
        best[shape] = { rate: Math.max(rate, count / seconds), ms: Math.min(ms, busiest / count) };
      }
    const measured = best.two.rate / best.one.rate;
    const hasCores = availableParallelism() >= CORES;
    tell(
      'two processes behind nginx',
      hasCores ? measured : best.one.ms / best.two.ms,
      { least: bounds.twoProcesses },
      hasCores
        ? 'times the rate of one'
        : `times the rate of one, by the CPU time of the busier; measured on ${availableParallelism()} cores, with client, database and nginx: ${measured.toFixed(2)}`,
    );
    let gap = Infinity;
    for (let round = 0; round < KILLS; round += 1)
      gap = Math.min(gap, await longestReadAtKill(scaled, ask(true), round % 2));
    tell('the longest read as one of them is killed', gap, { most: bounds.gap }, 'ms; none failed');
  } finally {
    await scaled.end();
  }
}

/** In ms. Several people read now and then; each of them waits for one response at a time. @throws Error when one fails */
async function longestReadAtKill(scaled: ScaledProgram, ask: (index: number) => Ask, which: number) {
  let longest = 0;
  let isOver = false;
  const reading = Array.from({ length: 8 }, async (_, index) => {
    while (!isOver) {
      const [answered] = await load(scaled.url, { atOnce: 1, count: 1, status: 206 }, () => ask(index));
      longest = Math.max(longest, answered!.ms);
      await sleep(20);
    }
  });
  await sleep(500);
  longest = 0;
  await scaled.programs[which]!.end('SIGKILL');
  await sleep(1_000);
  isOver = true;
  await Promise.all(reading);
  await scaled.restart(which);
  return longest;
}

async function startWithSong(environment: NodeJS.ProcessEnv) {
  const { dataDir, remove } = await newDataFolder();
  const program = await startProgram({ dataDir, environment: { ADMIN_PASSWORD: PASSWORD, ...environment } });
  const { ask } = await withSong(program.url);
  const end = async () => {
    await program.end();
    await remove();
  };
  return { program, ask, end };
}

/** A melody with a song, and who asks for it: whole, or a part after the other. */
async function withSong(url: string) {
  const teacher = new Client(url);
  await teacher.post('/api/login', { username: 'khandro', password: PASSWORD });
  await teacher.post('/api/init');
  const [level] = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const { body } = await teacher.form('/api/melodies', {
    title: 'With its song',
    transmissionLevelId: level!.id,
    audioFile: { bytes: SONG, name: 'song.wav' },
  });
  const path = `/api/files/${body.audioUrl as string}?type=audio`;
  const cookie = teacher.cookieHeader();
  const parts = Math.floor(SONG.length / PART);
  const ask =
    (part: boolean) =>
    (index: number): Ask => {
      const start = (index % parts) * PART;
      return { path, headers: { cookie, ...(part && { range: `bytes=${start}-${start + PART - 1}` }) } };
    };
  return { ask };
}
