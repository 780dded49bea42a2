import { afterEach, expect, inject, test } from 'vitest';
import { installation, mediaFiles, notices } from '#server/db/schema.ts';
import { getMediaFilePath } from '#server/media/layout.ts';
import type { MediaStore } from '#server/media/store.ts';
import { startTestApp } from '#testing/app.ts';
import { runStatement, TEMPLATE_DATABASE } from '#testing/postgres.ts';
import { getS3TestEnvironment } from '#testing/s3.ts';
import { verifyMedia } from './verify.ts';

let wrapped: (store: MediaStore) => MediaStore = (store) => store;
const app = await startTestApp({
  store: (real) => new Proxy(real, { get: (_, key) => Reflect.get(wrapped(real), key) as unknown }),
});
const student = await app.make.student({ username: 'tashi' });
const client = await app.as(student);

afterEach(async () => {
  wrapped = (store) => store;
  for (const table of ['recordings', 'melodies', 'media_files', 'notices'])
    await app.db.execute(`delete from ${table}`);
  for (const name of await app.files()) await app.store.remove(name);
  for (const day of await app.store.aside.days()) await app.store.aside.deleteDay(day);
});

type How = { mend?: boolean; store?: MediaStore; before?: Date };

/** Runs a verification. Returns the output and the exit code. */
async function verify({ mend = false, store = app.store, before }: How = {}) {
  const said: string[] = [];
  const { output, code } = await verifyMedia({
    ...{ db: app.db, connection: app.database.connection, store, mend, settleMs: 0, onWait: () => undefined },
    before: before ?? new Date(Date.now() + 60_000),
    say: (line) => said.push(line),
  });
  return { findings: said.sort(), summary: output, code };
}

async function flipAByte(path: string) {
  const bytes = await app.media.read(path);
  bytes[bytes.length - 5]! ^= 1;
  await app.media.write(path, bytes);
  return bytes;
}

async function setAside(name: string) {
  await app.store.aside.begin('2026-11-22');
  await app.store.aside.put(name, '2026-11-22');
}

/** Returns everything that a verification could change. */
const everything = async () => ({
  rows: (await app.db.select().from(mediaFiles)).sort((a, b) => (a.name < b.name ? -1 : 1)),
  files: (await app.files()).sort(),
  aside: (await Array.fromAsync(app.store.aside.list())).sort(),
  days: await app.store.aside.days(),
  told: await app.db.select().from(notices),
});

const kinds = (findings: string[]) => findings.map((line) => line.split(/ {2}/)[0]!.trim());

test('prints the amount of data read if there are no problems, and changes nothing', async () => {
  await app.make.melody({ title: 'Kyab' });
  await app.make.feedback({ student, spoken: true });
  const before = await everything();
  expect(await verify()).toEqual({
    findings: [],
    summary: expect.stringMatching(/^No problems found: 3 files, .* [KM]B\.$/),
    code: 0,
  });
  expect(await everything()).toEqual(before);
});

/** Creates melodies and recordings with every problem that a verification can find. */
async function damagedCommunity() {
  const melody = await app.make.melody({ title: 'Kyab\u001b[2J' });
  const gone = await app.make.recording({ student, title: 'Gone' });
  const flipped = await app.make.recording({ student, title: 'Flipped' });
  const aside = await app.make.recording({ student, title: 'Aside' });
  const marked = await app.make.recording({ student, title: 'Marked' });
  await app.make.recording({ student, title: 'Good' });
  const audio = melody.audioUrl!;
  const whole = await app.media.read(getMediaFilePath(gone.audioUrl));
  await app.media.write(getMediaFilePath(audio), Buffer.from('om ah hum'));
  await app.media.remove(getMediaFilePath(gone.audioUrl));
  const bad = await flipAByte(getMediaFilePath(flipped.audioUrl));
  await setAside(aside.audioUrl);
  await app.db.execute(`update media_files set damage = 'changed' where name = '${marked.audioUrl}'`);
  await app.media.write(getMediaFilePath('ff-orphan.wav'), Buffer.alloc(2_000));
  return {
    audio,
    gone: gone.audioUrl,
    flipped: flipped.audioUrl,
    aside: aside.audioUrl,
    marked: marked.audioUrl,
    whole,
    bad,
  };
}

test('reports the path and details of each problem, and changes nothing', async () => {
  const { audio, gone, flipped, aside, marked, whole } = await damagedCommunity();
  const before = await everything();
  const { findings, summary, code } = await verify();
  expect(findings).toEqual(
    [
      `damaged    ${getMediaFilePath(audio)}  melody “Kyab\ufffd[2J”: 9 bytes instead of ${whole.length.toLocaleString('en')}`,
      `missing    ${getMediaFilePath(gone)}  recording “Gone” of tashi`,
      `damaged    ${getMediaFilePath(flipped)}  recording “Flipped” of tashi: its contents have changed since it was uploaded`,
      `set aside  ${getMediaFilePath(aside)}  recording “Aside” of tashi`,
      `repaired   ${getMediaFilePath(marked)}  recording “Marked” of tashi: marked as damaged, but fine now`,
      `unlisted   ff/ff-orphan.wav  2,000 bytes`,
    ].sort(),
  );
  expect(code).toBe(1);
  expect(summary).toContain('3 files are missing or damaged. Restore them from a backup');
  expect(summary.match(/(aside|back|again), run npm run verify -- --mend\./g)).toHaveLength(3);
  expect(await everything()).toEqual(before);
});

test('--mend makes safe repairs, and lists files to restore from a backup', async () => {
  const { audio, gone, flipped, aside, marked, whole, bad } = await damagedCommunity();
  const first = await verify({ mend: true });
  expect(first.code).toBe(1);
  expect(first.findings.filter((line) => /: (set aside|moved back)$|served again$/.test(line))).toHaveLength(
    3,
  );
  expect(first.summary).toContain(
    '3 files are missing or damaged and can’t be played. Restore them from a backup',
  );
  const { rows, files, told } = await everything();
  expect(files).toEqual(expect.arrayContaining([audio, flipped, aside, marked]));
  expect(await app.media.namesIn(`set-aside/${new Date().toISOString().slice(0, 10)}`)).toEqual([
    'ff-orphan.wav',
  ]);
  expect(rows.filter(({ damage }) => damage).map(({ name, damage }) => [name, damage])).toEqual(
    [
      [audio, 'changed'],
      [gone, 'missing'],
      [flipped, 'changed'],
    ].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
  expect(told).toMatchObject([{ kind: 'files-damaged', detail: { missing: 1, changed: 2 } }]);
  const heard = async (name: string) => (await client.get(`/api/files/${name}?type=audio`)).status;
  expect(await Promise.all([gone, flipped, aside, marked].map(heard))).toEqual([503, 503, 200, 200]);

  bad[bad.length - 5]! ^= 1;
  await app.media.write(getMediaFilePath(gone), whole);
  await app.media.write(getMediaFilePath(flipped), bad);
  await app.media.write(getMediaFilePath(audio), whole);
  expect(await verify({ mend: true })).toMatchObject({ code: 0 });
  expect(await verify()).toMatchObject({ code: 0, findings: [] });
  expect(await app.db.select().from(notices)).toEqual([]);
  expect(await Promise.all([gone, flipped].map(heard))).toEqual([200, 200]);
});

test('does not move files if too many have no row, and --mend raises a notice', async () => {
  await app.make.recording({ student });
  for (let i = 10; i < 22; i += 1) await app.media.write(getMediaFilePath(`ff-orphan-${i}.wav`), 'left over');
  for (const mend of [false, true]) {
    const { summary, findings, code } = await verify({ mend });
    expect(code).toBe(1);
    expect(new Set(kinds(findings))).toEqual(new Set(['unlisted']));
    expect(summary).toContain('12 files are not listed in the database, which is too many');
    expect(await app.files()).toHaveLength(13);
    expect(await app.store.aside.days()).toEqual([]);
    expect(await app.count('notices')).toBe(mend ? 1 : 0);
  }
  expect(await app.db.select().from(notices)).toMatchObject([
    { kind: 'sweep-held', detail: { files: 12, of: 13 } },
  ]);
});

test('ignores a file that arrived within the last hour, because its row may follow', async () => {
  await app.media.write(getMediaFilePath('ff-coming.wav'), 'on its way');
  const before = new Date(Date.now() - 3_600_000);
  expect(await verify({ mend: true, before })).toMatchObject({ code: 0, findings: [] });
  expect(await app.files()).toEqual(['ff-coming.wav']);
});

test('reads several files at a time from a store that allows it', async () => {
  for (const title of ['One', 'Two']) await app.make.recording({ student, title });
  const second = Promise.withResolvers<void>();
  let read = 0;
  const store: MediaStore = {
    ...app.store,
    maxConcurrent: 2,
    async digest(...of) {
      read += 1;
      if (read === 1) await second.promise;
      else second.resolve();
      return app.store.digest(...of);
    },
  };
  expect(await verify({ store })).toMatchObject({ findings: [], code: 0 });
});

test('ignores files that are created or deleted during the run', async () => {
  // Adds a file whose name sorts first. Once it has been listed, the listings of the files and of the rows have
  // both started.
  await app.media.write(getMediaFilePath('00-first.wav'), 'om ah hum');
  await app.db.execute(
    `insert into media_files (name, slot, content_type, size, sha256) values ('00-first.wav', 'recording-audio', 'audio/wav', 9, '0fa6d43c1b9ac2fcf8b8c0d9ba37fec6b5a2ad8a4cf5a14ed38c3d2d1d6a5a52')`,
  );
  const going = await app.make.recording({ student });
  const goingLater = await app.make.recording({ student });
  const remove = async ({ id }: { id: number }) =>
    expect((await client.delete(`/api/recordings/${id}`)).status).toBe(200);
  let coming: string | undefined;
  const store: MediaStore = {
    ...app.store,
    async *list() {
      for await (const file of app.store.list()) {
        yield file;
        break;
      }
      await remove(going);
      coming = (await app.make.recording({ student })).audioUrl;
      for (const file of (await Array.fromAsync(app.store.list())).slice(1))
        if (file.name !== goingLater.audioUrl) yield file;
      // Imitates a file that was deleted just after it was listed.
      yield { name: 'zz-going.wav', size: 9, publishedAt: new Date(0) };
    },
    async sizeOf(name) {
      // Deletes the recording after its row was read and before its file is read.
      if (name === goingLater.audioUrl) await remove(goingLater);
      return app.store.sizeOf(name);
    },
  };
  const { findings } = await verify({ mend: true, store });
  expect(findings.filter((line) => !line.includes('00-first'))).toEqual([]);
  expect((await app.files()).sort()).toEqual(['00-first.wav', coming!].sort());
});

test('only one process sets files aside at a time: maintenance skips, --mend waits', async () => {
  const other = await startTestApp({ beside: { databaseName: app.databaseName, dataDir: app.dataDir } });
  await app.media.write(getMediaFilePath('ff-orphan.wav'), 'left over');
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  wrapped = (store) => ({
    ...store,
    aside: {
      ...store.aside,
      async put(name, day) {
        reached.resolve();
        await goOn.promise;
        return store.aside.put(name, day);
      },
    },
  });
  const before = new Date(Date.now() + 60_000);
  const first = app.services.fileRounds({ before, read: 'none' });
  await reached.promise;
  expect(await other.services.fileRounds({ before, read: 'none' })).toEqual({ files: 0, staged: 0 });
  const waited = Promise.withResolvers<void>();
  const said: string[] = [];
  const mending = verifyMedia({
    ...{
      db: app.db,
      connection: app.database.connection,
      store: other.store,
      before,
      settleMs: 0,
      mend: true,
    },
    say: (line) => said.push(line),
    onWait: waited.resolve,
  });
  await waited.promise;
  goOn.resolve();
  expect(await first).toEqual({ files: 1, staged: 0 });
  expect([(await mending).code, said]).toEqual([0, []]);
  expect(await Array.fromAsync(app.store.aside.list())).toEqual(['ff-orphan.wav']);
});

test('files are not lost if an older copy of the database uses them too', async () => {
  const names: string[] = [];
  for (let i = 0; i < 6; i += 1) names.push((await app.make.recording({ student })).audioUrl);
  const [row] = await app.db.select().from(installation);
  const olderDatabase = `${app.databaseName}_older`;
  await runStatement(inject('postgres'), `create database ${olderDatabase} template ${TEMPLATE_DATABASE}`);
  const older = await startTestApp({
    beside: { databaseName: olderDatabase, dataDir: app.dataDir },
    environment: getS3TestEnvironment(app.databaseName),
    store: (real) => ({ ...real }),
  });
  // Imitates a copy of the first database from before the recordings were made.
  await older.db.delete(installation);
  if (row) await older.db.insert(installation).values(row);
  const before = new Date(Date.now() + 60_000);
  const heard = () =>
    Promise.all(names.map(async (name) => (await client.get(`/api/files/${name}?type=audio`)).status));
  for (let i = 0; i < 4; i += 1)
    await Promise.all([
      older.services.fileRounds({ before, read: 'none' }),
      verify({ mend: true, before: new Date(0) }),
      app.services.fileRounds({ before: new Date(0), read: 'none' }),
      heard(),
    ]);
  expect(await verify({ mend: true, before: new Date(0) })).toMatchObject({ code: 0 });
  expect(await heard()).toEqual(names.map(() => 200));
  expect(await verify()).toMatchObject({ code: 0, findings: [] });
});
