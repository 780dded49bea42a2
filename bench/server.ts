import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toS3Environment, startS3, explainMissingCeph } from '#testing/ceph.ts';
import { TestClient } from '#testing/client.ts';
import {
  startCommunity,
  type RunningCommunity as Community,
  type TestCredentials,
} from '#testing/community.ts';
import { getCpuMs, getProgramCpuMs, getMemoryMiB } from '#testing/process-usage.ts';
import { createDataFolder, startProgram } from '#testing/program.ts';
import { createWav } from '#testing/tone.ts';
import {
  BROWSER_ACCEPT_ENCODING_HEADER,
  measureCpuPerItem,
  runInParallel,
  measureAlternatives,
  runLoadTest,
  getMedian,
  getLatencyQuantile,
  getMedianRatio,
  reportMeasurement,
  type LoadRequest,
  type MeasurementBound,
} from './harness.ts';

// Compares the CPU time of all the server's processes (the program, its database and its decoders) with the
// least that Node needs for the same bytes (`reference.ts`). Also checks memory, startup, whether the timing of
// sign-ins reveals accounts, and how much sign-ins slow down other requests. An argument restricts the run to
// parts whose names begin with the argument.

const ROUNDS = 7;
const STUDENTS = 80;
const MIB = 1024 * 1024;
const TIMES_REFERENCE = '× the reference’s CPU';
const CHUNK_BYTES = 64 * 1024;

const bounds = {
  /** Minimum rate of requests, as a share of the reference's rate, by number of melodies. */
  list: { 12: { whole: 0.12, unchanged: 0.35 }, 60: { whole: 0.06, unchanged: 0.35 } },
  /** Maximum CPU time, as a multiple of the reference's. */
  range: 2.5,
  recording: { 'in one request': 3, 'in chunks': 4 },
  /** Maximum memory of the program's process, in MiB. */
  memory: { idle: 150, uploads: 180, signIns: 300 },
  /**
   * Maximum CPU time to start the build, and to start in an empty data folder, as multiples of the CPU time
   * to start from the sources. Only `empty` includes the CPU time of the database.
   */
  start: { build: 0.6, empty: 1.2 },
  /**
   * Maximum p99 of a byte range of a song while 50 people sign in, as a multiple of the p99 on an idle
   * server.
   */
  whileSigningIn: 3,
  /**
   * Maximum share of pairs in which the request with the known name (or the one with the unknown name) is the
   * slower of the two. A larger share means that response times reveal who has an account. By chance alone, 1
   * of 1,000 runs exceeds the limit.
   */
  knownIsSlower: 0.6,
  /** Maximum CPU time, as a multiple of the CPU time with media on disk. */
  s3: 4,
};

/** Text of one melody. A list of twelve melodies with this text takes about 9 KB. */
const VERSES = Array.from(
  { length: 4 },
  (_, verse) => `Lama khyenno, verse ${verse + 1} of the song\nབླ་མ་མཁྱེན་ནོ། དྲིན་ཅན་རྩ་བའི་བླ་མ་མཁྱེན་ནོ།`,
).join('\n');
const SONG = createWav(30, 32_000, (second) => 12_000 * Math.sin(second * 1_400));
/** A recording like the recorder's. Its noise makes it as hard to compress as a microphone's signal. */
const TAKE = createWav(
  82,
  32_000,
  (second) =>
    9_000 * Math.sin(second * 1_382) + 2_000 * Math.sin(second * 8_311) + 400 * (Math.random() - 0.5),
);

const ENVIRONMENT = {
  // Without ffmpeg, no copies of audio are made. Otherwise their CPU time would add to whatever is being
  // measured.
  FFMPEG_PATH: 'none',
  // Lets requests choose their client IP address.
  TRUST_PROXY: '1',
  STUDENT_DAILY_BYTES: String(100_000 * MIB),
  STUDENT_DAILY_RECORDINGS: '100000',
};

const only = process.argv[2] ?? '';
const isWanted = (what: string) => what.startsWith(only);

const files = await mkdtemp(join(tmpdir(), 'yangchen-reference-'));
const reference = await startReference(files);
try {
  const parts = [
    ['list', measureLists],
    ['range', measureRange],
    ['recording', measureRecordings],
    ['sign-in load', measureWhileSigningIn],
    ['sign-in timing', measureSignInTiming],
    ['memory', measureMemory],
  ] as const;
  for (const [name, measure] of parts) {
    if (!isWanted(name)) continue;
    const community = await startCommunity(ENVIRONMENT);
    try {
      await measure(community);
    } finally {
      await community.end();
    }
  }
  if (isWanted('start')) await measureStart();
  if (isWanted('s3')) await measureS3();
} finally {
  reference.child.kill();
  await rm(files, { recursive: true, force: true });
}

async function startReference(folder: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'reference.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}`, child };
}

/** Sends requests to the reference server. @returns CPU time in ms per request */
function measureReferenceCpu(
  count: number,
  atOnce: number,
  status: number,
  next: (index: number) => LoadRequest,
) {
  const used = () => getCpuMs(reference.child.pid!);
  return measureCpuPerItem(count, used, () => runLoadTest(reference.url, { atOnce, count, status }, next));
}

/** Sends requests to the program. @returns CPU time in ms per request */
function measureProgramCpu(
  { program }: Community,
  count: number,
  atOnce: number,
  status: number,
  next: (index: number) => LoadRequest,
) {
  const used = () => getProgramCpuMs(program);
  return measureCpuPerItem(count, used, () => runLoadTest(program.url, { atOnce, count, status }, next));
}

/** Reports a ratio and the costs from which it is computed. */
function reportRatio(
  what: string,
  [ours, theirs]: [number[], number[]],
  bound: MeasurementBound,
  unit: string,
) {
  const ratio = 'min' in bound ? getMedianRatio(theirs, ours) : getMedianRatio(ours, theirs);
  const more = `${getMedian(ours).toFixed(2)} ms against ${getMedian(theirs).toFixed(2)} ms`;
  reportMeasurement(what, ratio, bound, unit, more);
}

async function measureLists(community: Community) {
  const { cookies } = await signedInStudents(community);
  let melodies = 0;
  for (const size of [12, 60] as const) {
    for (; melodies < size; melodies += 1)
      await community.addMelody({ title: `Calling the Lama ${melodies}`, melodyText: VERSES });
    const path = '/api/melodies';
    const answer = await fetch(community.url + path, { headers: { cookie: cookies[0]! } });
    await writeFile(join(files, `list-${size}`), Buffer.from(await answer.arrayBuffer()));
    const etag = answer.headers.get('etag')!;
    const ask = (index: number, more = {}) => ({
      path,
      headers: { ...BROWSER_ACCEPT_ENCODING_HEADER, cookie: cookies[index % cookies.length]!, ...more },
    });
    const { theirs, ...ours } = await measureAlternatives(ROUNDS, {
      theirs: () => measureReferenceCpu(12_000, 64, 200, () => ({ path: `/json/list-${size}` })),
      whole: () => measureProgramCpu(community, 6_000, 64, 200, (index) => ask(index)),
      unchanged: () =>
        measureProgramCpu(community, 12_000, 64, 304, (index) => ask(index, { 'if-none-match': etag })),
    });
    for (const which of ['whole', 'unchanged'] as const)
      reportRatio(
        `library list, ${size} melodies, ${which}`,
        [ours[which], theirs],
        { min: bounds.list[size][which] },
        'of the reference’s rate',
      );
  }
}

async function measureRange(community: Community) {
  const { cookies } = await signedInStudents(community);
  await writeFile(join(files, 'song.wav'), SONG);
  const ask = await createRequestBuilders(community, cookies);
  const { ours, theirs } = await measureAlternatives(ROUNDS, {
    theirs: () =>
      measureReferenceCpu(4_000, 64, 206, (index) => ({ ...ask.part(index), path: '/range/song.wav' })),
    ours: () => measureProgramCpu(community, 1_500, 64, 206, ask.part),
  });
  reportRatio('a part of 64 KiB of a song', [ours, theirs], { max: bounds.range }, TIMES_REFERENCE);
}

async function measureRecordings(community: Community) {
  const { cookies } = await signedInStudents(community);
  const each = 12;
  const cookieOf = (index: number) => ({ cookie: cookies[index % cookies.length]! });
  const { theirs, ...ours } = await measureAlternatives(ROUNDS, {
    theirs: () =>
      measureReferenceCpu(each * 4, 4, 201, () => ({ path: '/upload', ...buildRecordingForm(TAKE) })),
    'in one request': () =>
      measureProgramCpu(community, each, 4, 201, (index) => {
        const form = buildRecordingForm(TAKE);
        return { ...form, path: '/api/recordings', headers: { ...form.headers, ...cookieOf(index) } };
      }),
    'in chunks': () =>
      measureCpuPerItem(
        each,
        () => getProgramCpuMs(community.program),
        () => runInParallel(4, each, (index) => sendInChunks(community.url, cookieOf(index))),
      ),
  });
  for (const way of ['in one request', 'in chunks'] as const)
    reportRatio(
      `a durable recording of ${(TAKE.length / MIB).toFixed(1)} MiB, ${way}`,
      [ours[way], theirs],
      { max: bounds.recording[way] },
      TIMES_REFERENCE,
    );
}

async function measureWhileSigningIn(community: Community) {
  const { accounts, cookies } = await signedInStudents(community);
  const ask = await createRequestBuilders(community, cookies);
  const listen = (count: number) => runLoadTest(community.url, { atOnce: 4, count, status: 206 }, ask.part);
  await listen(400);
  const quiet = getLatencyQuantile(await listen(1_000), 0.99);
  let isOver = false;
  const signingIn = signInAll(community, accounts.slice(0, 50), '10.1.0').finally(() => (isOver = true));
  const busy: Awaited<ReturnType<typeof listen>> = [];
  while (!isOver) busy.push(...(await listen(50)));
  await signingIn;
  const p99 = getLatencyQuantile(busy, 0.99);
  const most = bounds.whileSigningIn;
  const more = `${p99.toFixed(0)} ms against ${quiet.toFixed(0)} ms`;
  reportMeasurement(
    'p99 of such a part while 50 sign in',
    p99 / quiet,
    { max: most },
    '× its quiet p99',
    more,
  );
}

/**
 * Measures whether response times reveal who has an account. Sends a known and an unknown name in pairs, in
 * random order, each from a different IP address so that no rate limit is reached.
 */
async function measureSignInTiming(community: Community) {
  const accounts = await createStudents(community);
  const url = community.url;
  let addresses = 0;
  const time = async (path: string, body: object) => {
    addresses += 1;
    const address = `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
    const began = performance.now();
    const { status } = await new TestClient(url).post(path, body, {
      headers: { 'x-forwarded-for': address },
    });
    if (status !== 200 && status !== 401) throw new Error(`${path} was answered with ${status}`);
    return performance.now() - began;
  };
  const password = 'not-the-password';
  const asks = {
    'sign-in': (name: string) => time('/api/login', { username: name, password }),
    'request of a reset link': (name: string) => time('/api/password-reset/request', { email: name }),
  };
  for (const [what, ask] of Object.entries(asks)) {
    for (let warmUp = 0; warmUp < 20; warmUp += 1) await ask(`nobody.${warmUp}@example.org`);
    const pairs: { known: number; unknown: number }[] = [];
    for (let round = 0; round < 4; round += 1)
      for (const at of accounts.keys()) {
        const pair = { known: NaN, unknown: NaN };
        const order = ['known', 'unknown'] as const;
        for (const which of Math.random() < 0.5 ? order : order.toReversed())
          pair[which] = await ask(which === 'known' ? getEmail(at) : `other.${at}@example.org`);
        pairs.push(pair);
      }
    const share = pairs.filter(({ known, unknown }) => known > unknown).length / pairs.length;
    const [known, unknown] = [getMedian(pairs.map((p) => p.known)), getMedian(pairs.map((p) => p.unknown))];
    reportMeasurement(
      `${what}: one of the two is answered later`,
      Math.max(share, 1 - share),
      { max: bounds.knownIsSlower },
      'of pairs of a known and an unknown name',
      `medians ${known.toFixed(1)} and ${unknown.toFixed(1)} ms`,
    );
  }
}

async function measureMemory(community: Community) {
  const { accounts, cookies } = await signedInStudents(community);
  // Restarts the program, waits until it is idle, and returns its process id.
  const restart = async () => {
    await community.restart();
    await sleep(5_000);
    return community.program.child.pid!;
  };
  const { memory } = bounds;
  let pid = await restart();
  reportMeasurement('memory, idle', await getMemoryMiB(pid), { max: memory.idle }, 'MiB');
  await runLoadTest(community.url, { atOnce: 8, count: 24, status: 201 }, (index) => {
    const form = buildRecordingForm(TAKE);
    return { ...form, path: '/api/recordings', headers: { ...form.headers, cookie: cookies[index]! } };
  });
  reportMeasurement(
    'memory, 8 uploads at once',
    await getMemoryMiB(pid, 'VmHWM'),
    { max: memory.uploads },
    'MiB at most',
  );
  pid = await restart();
  await signInAll(community, accounts.slice(0, 24), '10.2.0');
  reportMeasurement(
    'memory, 24 sign-ins at once',
    await getMemoryMiB(pid, 'VmHWM'),
    { max: memory.signIns },
    'MiB at most',
  );
}

async function measureStart() {
  const { dataDir, remove } = await createDataFolder();
  const startOn = async (folder: string, main?: string) => {
    const program = await startProgram({
      dataDir: folder,
      main,
      environment: { ADMIN_PASSWORD: 'a-password' },
    });
    const used = { own: await getCpuMs(program.child.pid!), all: await getProgramCpuMs(program) };
    await program.end();
    return used;
  };
  const SOURCES = 'src/main.server.ts';
  // Starts the program without measuring, because the first start creates the database and lets Node cache
  // the compiled code.
  for (const main of [undefined, SOURCES]) await startOn(dataDir, main);
  const { build, sources, empty } = await measureAlternatives(ROUNDS, {
    build: async () => (await startOn(dataDir)).own,
    sources: async () => (await startOn(dataDir, SOURCES)).own,
    async empty() {
      const folder = await createDataFolder();
      const { all } = await startOn(folder.dataDir);
      await folder.remove();
      return all;
    },
  });
  await remove();
  const { build: most, empty: mostEmpty } = bounds.start;
  reportRatio('start', [build, sources], { max: most }, '× the CPU from the sources');
  const unit = '× the same, with its database';
  reportRatio('start on an empty folder', [empty, sources], { max: mostEmpty }, unit);
}

async function measureS3() {
  const missing = explainMissingCeph();
  if (missing) return console.log(`skips  an S3 store: ${missing}`);
  const store = await startS3();
  const disk = await startCommunity(ENVIRONMENT);
  const s3 = await startCommunity({ ...ENVIRONMENT, ...toS3Environment(store.s3) });
  try {
    const asks = { disk: await createRequestBuilders(disk), s3: await createRequestBuilders(s3) };
    for (const [what, which, count, atOnce, status] of [
      ['a part of 64 KiB of a song', 'part', 1_000, 32, 206],
      ['a whole song of 1.8 MiB', 'whole', 150, 8, 200],
    ] as const) {
      const costs = await measureAlternatives(ROUNDS, {
        disk: () => measureProgramCpu(disk, count, atOnce, status, asks.disk[which]),
        s3: () => measureProgramCpu(s3, count, atOnce, status, asks.s3[which]),
      });
      const most = bounds.s3;
      reportRatio(`${what} from S3`, [costs.s3, costs.disk], { max: most }, '× the CPU from disk');
    }
  } finally {
    await disk.end();
    await s3.end();
    await store.end();
  }
}

function getEmail(at: number) {
  return `student.${at}@example.org`;
}

async function createStudents({ newStudent }: Community): Promise<TestCredentials[]> {
  const accounts = [];
  for (let at = 0; at < STUDENTS; at += 1) accounts.push(await newStudent({ email: getEmail(at) }));
  return accounts;
}

async function signedInStudents(community: Community) {
  const accounts = await createStudents(community);
  return { accounts, cookies: await signInAll(community, accounts, '10.0.0') };
}

/** Signs in all accounts at the same time, each from a different IP address. @returns their cookies */
function signInAll({ program }: Community, accounts: TestCredentials[], network: string) {
  return Promise.all(
    accounts.map(async (account, at) => {
      const client = new TestClient(program.url);
      const headers = { 'x-forwarded-for': `${network}.${at}` };
      const { status } = await client.post('/api/login', account, { headers });
      if (status !== 200) throw new Error(`A sign-in was answered with ${status}`);
      return client.cookieHeader();
    }),
  );
}

/**
 * Adds a melody.
 * @returns functions that build requests for its whole audio, or for successive byte ranges of its audio
 */
async function createRequestBuilders(people: Community, cookies = [people.teacher.cookieHeader()]) {
  const { audioUrl } = await people.addMelody({ audioFile: { bytes: SONG, name: 'song.wav' } });
  const path = `/api/files/${audioUrl}?type=audio`;
  const headersOf = (index: number) => ({
    ...BROWSER_ACCEPT_ENCODING_HEADER,
    cookie: cookies[index % cookies.length]!,
  });
  const parts = Math.floor(SONG.length / CHUNK_BYTES);
  return {
    whole: (index: number): LoadRequest => ({ path, headers: headersOf(index) }),
    part(index: number): LoadRequest {
      const start = (index % parts) * CHUNK_BYTES;
      return { path, headers: { ...headersOf(index), range: `bytes=${start}-${start + CHUNK_BYTES - 1}` } };
    },
  };
}

/** Sends a recording as a browser does over a good connection. */
async function sendInChunks(url: string, cookie: { cookie: string }) {
  const clientId = randomUUID();
  const path = `/api/uploads/${clientId}`;
  const send = (status: number, ask: LoadRequest) =>
    runLoadTest(url, { atOnce: 1, count: 1, status }, () => ({
      ...ask,
      headers: { ...ask.headers, ...cookie },
    }));
  const json = { 'content-type': 'application/json' };
  const size = Buffer.from(JSON.stringify({ size: TAKE.length }));
  await send(200, { path, method: 'PUT', headers: json, body: size });
  for (let start = 0, chunk = MIB / 4; start < TAKE.length; start += chunk, chunk = Math.min(MIB, chunk * 2))
    await send(200, {
      path: `${path}?start=${start}`,
      method: 'PATCH',
      headers: { 'content-type': 'application/octet-stream' },
      body: TAKE.subarray(start, start + chunk),
    });
  await send(201, { path: '/api/recordings', ...buildForm({ title: 'Sung', clientId, uploadId: clientId }) });
}

function buildRecordingForm(take: Buffer) {
  return buildForm({ title: 'Sung', clientId: randomUUID() }, take);
}

function buildForm(fields: Record<string, string>, file?: Buffer) {
  const boundary = 'between-the-parts';
  const parts: Uint8Array[] = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="audio"; filename="take.wav"\r\ncontent-type: audio/wav\r\n\r\n`;
  if (file) parts.push(Buffer.from(head), file, Buffer.from('\r\n'));
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return { method: 'POST', headers, body: Buffer.concat(parts) };
}
