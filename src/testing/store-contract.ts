import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { WrongPair } from '#server/data-folder/installation-mismatch-error.ts';
import { INSTALLATION, pathOf } from '#server/media/layout.ts';
import type { MediaStore } from '#server/media/store.ts';
import type { MediaPlace } from './media-place.ts';

/** Tests that every media store must pass, starting from an empty place. */
export function keepsThePromises(makePlace: () => Promise<MediaPlace>) {
  let place: MediaPlace;
  let store: MediaStore;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'yangchen-staged-'));
    place = await makePlace();
    store = place.open();
  });
  const folders: string[] = [];
  beforeEach(() => void folders.push(folder));
  afterAll(() => Promise.all(folders.map((each) => rm(each, { recursive: true, force: true }))));

  async function publish(name: string, content = 'om mani padme hum') {
    const path = join(folder, randomUUID());
    await writeFile(path, content);
    await store.publish(path, name);
    return path;
  }
  const heard = async (name: string, range: { start: number; end?: number } = { start: 0 }) => {
    const found = await store.open(name, range);
    return found && { content: await text(found.stream), size: found.size };
  };
  const listed = async () => (await Array.fromAsync(store.list())).map(({ name }) => name).sort();
  const setAside = async () => (await Array.fromAsync(store.aside.list())).sort();

  test('a file is moved into the store, and found there with the time at which it came', async () => {
    const before = Date.now();
    const staged = await publish('aa-song.wav');
    await expect(stat(staged)).rejects.toThrow('ENOENT');
    expect(await heard('aa-song.wav')).toEqual({ content: 'om mani padme hum', size: 17 });
    const [found] = await Array.fromAsync(store.list());
    expect(found!.name).toBe('aa-song.wav');
    // Never earlier than the publication, or the sweep would take a file without a row yet for a leftover.
    expect(found!.publishedAt.getTime()).toBeGreaterThanOrEqual(before - 10);
    expect(found!.publishedAt.getTime()).toBeLessThan(before + 60_000);
  });

  test('a large file arrives and is heard byte by byte', async () => {
    const content = 'དབྱངས་ཅན་'.repeat(100_000);
    await publish('aa-long.wav', content);
    expect((await heard('aa-long.wav'))!.content === content).toBe(true);
  });

  test('all of a file is read for its size and hash, also of one that was set aside', async () => {
    const sha256 = createHash('sha256').update('om mani padme hum').digest('hex');
    await publish('aa-song.wav');
    expect(await store.digest('aa-song.wav')).toEqual({ size: 17, sha256 });
    await store.aside.begin('2026-11-22');
    await store.aside.put('aa-song.wav', '2026-11-22');
    expect(await store.digest('aa-song.wav')).toEqual({ size: 17, sha256 });
    expect(await store.digest('aa-none.wav')).toBeNull();
    await expect(store.digest('aa-song.wav', AbortSignal.abort())).rejects.toThrow('abort');
  });

  test.each<[{ start: number; end?: number }, string]>([
    [{ start: 0, end: 1 }, 'om'],
    [{ start: 3, end: 6 }, 'mani'],
    [{ start: 14 }, 'hum'],
    [{ start: 14, end: 99 }, 'hum'],
    [{ start: 16, end: 16 }, 'm'],
    [{ start: 17, end: 20 }, ''],
    [{ start: 99 }, ''],
  ])('of %j there is as much as the file has, and its size', async (range, content) => {
    await publish('aa-song.wav');
    expect(await heard('aa-song.wav', range)).toEqual({ content, size: 17 });
    if (range.end === undefined) return;
    const { bytes, size } = (await store.read('aa-song.wav', { ...range, end: range.end }))!;
    expect([bytes.toString(), size]).toEqual([content, 17]);
  });

  test('an empty file is a file', async () => {
    await publish('aa-empty.wav', '');
    expect(await heard('aa-empty.wav')).toEqual({ content: '', size: 0 });
    expect(await store.read('aa-empty.wav', { start: 0, end: 0 })).toEqual({
      bytes: Buffer.from(''),
      size: 0,
    });
  });

  test('without a file there is nothing to hear', async () => {
    expect(await store.open('aa-none.wav', { start: 0 })).toBeNull();
    expect(await store.read('aa-none.wav', { start: 0, end: 9 })).toBeNull();
  });

  test('what is removed is gone, also if it was set aside; what is not there may be removed', async () => {
    await publish('aa-song.wav');
    await publish('bb-song.wav');
    await store.aside.begin('2026-11-22');
    await store.aside.put('bb-song.wav', '2026-11-22');
    for (const name of ['aa-song.wav', 'bb-song.wav', 'cc-none.wav']) await store.remove(name);
    expect(await listed()).toEqual([]);
    expect(await setAside()).toEqual([]);
    expect([await heard('aa-song.wav'), await heard('bb-song.wav')]).toEqual([null, null]);
  });

  test('files are listed without those set aside, and without anything else', async () => {
    for (const name of ['aa-1.wav', 'aa-2.wav', 'bb-3.wav']) await publish(name);
    await store.claim(randomUUID());
    await store.check();
    await store.aside.begin('2026-11-22');
    await store.aside.put('aa-1.wav', '2026-11-22');
    expect(await listed()).toEqual(['aa-2.wav', 'bb-3.wav']);
    expect(await setAside()).toEqual(['aa-1.wav']);
  });

  test('files are listed in the order of their names, each with its size; what is elsewhere is not ours', async () => {
    for (const name of ['b-.wav', 'b_1.wav', 'aab.wav', 'aaB.wav', 'aa-x.wav', 'aa.wav'])
      await publish(name, name);
    for (const path of ['aa/bb-elsewhere.wav', 'aa/.nfs0001', 'bb/དབྱངས.wav', 'lost+found/aa-lost.wav'])
      await place.write(path, 'not ours');
    expect((await Array.fromAsync(store.list())).map(({ name, size }) => [name, size])).toEqual([
      ['aa-x.wav', 8],
      ['aa.wav', 6],
      ['aaB.wav', 7],
      ['aab.wav', 7],
      ['b-.wav', 6],
      ['b_1.wav', 7],
    ]);
  });

  test('the size of a file is known where it is in its place', async () => {
    await publish('aa-song.wav');
    await publish('aa-empty.wav', '');
    expect([await store.sizeOf('aa-song.wav'), await store.sizeOf('aa-empty.wav')]).toEqual([17, 0]);
    await store.aside.begin('2026-11-22');
    await store.aside.put('aa-song.wav', '2026-11-22');
    expect([await store.sizeOf('aa-song.wav'), await store.sizeOf('aa-none.wav')]).toEqual([null, null]);
    expect(await setAside()).toEqual(['aa-song.wav']);
  });

  test('a file that is gone cannot be set aside', async () => {
    await store.aside.begin('2026-11-22');
    expect(await store.aside.put('aa-none.wav', '2026-11-22')).toBe(false);
    await publish('aa-song.wav');
    expect(await store.aside.put('aa-song.wav', '2026-11-22')).toBe(true);
    expect(await store.aside.put('aa-song.wav', '2026-11-22')).toBe(false);
    expect(await heard('aa-song.wav')).not.toBeNull();
  });

  test('a file that is just being set aside is not restored, and so is there whatever comes first', async () => {
    await publish('aa-song.wav');
    await place.write('set-aside/2026-11-22/aa-song.wav', 'om mani padme hum');
    expect(await store.aside.restore('aa-song.wav')).toBe(false);
    // If setting aside copies the file, removing the original completes it.
    await place.remove(pathOf('aa-song.wav'));
    expect(await heard('aa-song.wav')).toEqual({ content: 'om mani padme hum', size: 17 });
  });

  test('a file that was set aside comes back when it is asked for, also by many at once', async () => {
    await publish('aa-song.wav');
    await store.aside.begin('2026-11-22');
    await store.aside.put('aa-song.wav', '2026-11-22');
    const found = await Promise.all(Array.from({ length: 8 }, () => heard('aa-song.wav', { start: 14 })));
    expect(found).toEqual(Array(8).fill({ content: 'hum', size: 17 }));
    expect(await listed()).toEqual(['aa-song.wav']);
    expect(await store.aside.restore('aa-song.wav')).toBe(false);
  });

  test('days are those begun, oldest first, with or without files', async () => {
    expect(await store.aside.days()).toEqual([]);
    for (const day of ['2026-11-22', '2026-01-05', '2026-11-22']) await store.aside.begin(day);
    expect(await store.aside.days()).toEqual(['2026-01-05', '2026-11-22']);
  });

  test('a day is forgotten with its files, and no other', async () => {
    for (const [name, day] of [
      ['aa-old.wav', '2026-01-05'],
      ['aa-new.wav', '2026-11-22'],
    ] as const) {
      await publish(name);
      await store.aside.begin(day);
      await store.aside.put(name, day);
    }
    await store.aside.forget('2026-01-05');
    await store.aside.forget('..');
    expect([await store.aside.days(), await setAside()]).toEqual([['2026-11-22'], ['aa-new.wav']]);
    expect(await heard('aa-old.wav')).toBeNull();
    expect(await store.aside.restore('aa-old.wav')).toBe(false);
    expect(await store.aside.restore('aa-new.wav')).toBe(true);
    expect(await heard('aa-new.wav')).not.toBeNull();
  });

  test('it belongs to nobody at first, then to who claims it, until that is taken back', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    expect(await store.installationId()).toBeNull();
    await store.claim(one);
    await place.open().claim(other);
    expect([await store.installationId(), await place.open().installationId()]).toEqual([one, one]);
    await store.unclaim();
    expect(await store.installationId()).toBeNull();
    await store.claim(other);
    expect(await store.installationId()).toBe(other);
  });

  test('of many processes that claim it at the same moment, one wins, and all see which', async () => {
    const ids = Array.from({ length: 12 }, () => randomUUID());
    const stores = ids.map(() => place.open());
    const claims = stores.map(async (each, i) => {
      await each.claim(ids[i]!);
      return each.installationId();
    });
    const seen = new Set(await Promise.all(claims));
    expect(seen.size).toBe(1);
    expect(ids).toContain([...seen][0]);
  });

  test('a damaged id is said to be damaged, and not taken for none', async () => {
    await place.write(INSTALLATION, 'half an i');
    await expect(store.installationId()).rejects.toThrow(WrongPair);
    await expect(store.installationId()).rejects.toThrow(/is damaged\. Restore it, or delete it/);
  });

  test('it says that it is writable', async () => {
    await store.claim(randomUUID());
    await store.check();
    await store.check();
  });

  test('what an operator copies to where the files are is a file of the store', async () => {
    await place.write(pathOf('aa-restored.wav'), 'from a backup');
    expect(await listed()).toEqual(['aa-restored.wav']);
    expect(await heard('aa-restored.wav')).toEqual({ content: 'from a backup', size: 13 });
    await place.remove(pathOf('aa-restored.wav'));
    expect(await heard('aa-restored.wav')).toBeNull();
  });
}
