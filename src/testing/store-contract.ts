import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { InstallationMismatchError } from '#server/data-folder/installation-mismatch-error.ts';
import { INSTALLATION_FILE, getMediaFilePath } from '#server/media/layout.ts';
import type { MediaStore } from '#server/media/store.ts';
import type { RawMediaStorage } from './raw-media-storage.ts';

/** Registers the tests that every media store must pass. Each test starts with an empty store. */
export function testMediaStore(makePlace: () => Promise<RawMediaStorage>) {
  let place: RawMediaStorage;
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

  test('publishing moves a file into the store and records the publication time', async () => {
    const before = Date.now();
    const staged = await publish('aa-song.wav');
    await expect(stat(staged)).rejects.toThrow('ENOENT');
    expect(await heard('aa-song.wav')).toEqual({ content: 'om mani padme hum', size: 17 });
    const [found] = await Array.fromAsync(store.list());
    expect(found!.name).toBe('aa-song.wav');
    // The time must not be earlier than the publication, or the sweep would mistake a file that has no row yet
    // for a leftover.
    expect(found!.publishedAt.getTime()).toBeGreaterThanOrEqual(before - 10);
    expect(found!.publishedAt.getTime()).toBeLessThan(before + 60_000);
  });

  test('stores a large file and serves it unchanged', async () => {
    const content = 'དབྱངས་ཅན་'.repeat(100_000);
    await publish('aa-long.wav', content);
    expect((await heard('aa-long.wav'))!.content === content).toBe(true);
  });

  test('digest() returns the size and hash of a file, even of a file set aside', async () => {
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
  ])('serves the existing part of the byte range %j, with the file’s size', async (range, content) => {
    await publish('aa-song.wav');
    expect(await heard('aa-song.wav', range)).toEqual({ content, size: 17 });
    if (range.end === undefined) return;
    const { bytes, size } = (await store.read('aa-song.wav', { ...range, end: range.end }))!;
    expect([bytes.toString(), size]).toEqual([content, 17]);
  });

  test('stores and serves an empty file', async () => {
    await publish('aa-empty.wav', '');
    expect(await heard('aa-empty.wav')).toEqual({ content: '', size: 0 });
    expect(await store.read('aa-empty.wav', { start: 0, end: 0 })).toEqual({
      bytes: Buffer.from(''),
      size: 0,
    });
  });

  test('returns null for a file that does not exist', async () => {
    expect(await store.open('aa-none.wav', { start: 0 })).toBeNull();
    expect(await store.read('aa-none.wav', { start: 0, end: 9 })).toBeNull();
  });

  test('removes published files and files set aside, and ignores missing files', async () => {
    await publish('aa-song.wav');
    await publish('bb-song.wav');
    await store.aside.begin('2026-11-22');
    await store.aside.put('bb-song.wav', '2026-11-22');
    for (const name of ['aa-song.wav', 'bb-song.wav', 'cc-none.wav']) await store.remove(name);
    expect(await listed()).toEqual([]);
    expect(await setAside()).toEqual([]);
    expect([await heard('aa-song.wav'), await heard('bb-song.wav')]).toEqual([null, null]);
  });

  test('lists only published files, without files set aside or unrelated files', async () => {
    for (const name of ['aa-1.wav', 'aa-2.wav', 'bb-3.wav']) await publish(name);
    await store.claim(randomUUID());
    await store.check();
    await store.aside.begin('2026-11-22');
    await store.aside.put('aa-1.wav', '2026-11-22');
    expect(await listed()).toEqual(['aa-2.wav', 'bb-3.wav']);
    expect(await setAside()).toEqual(['aa-1.wav']);
  });

  test('lists files sorted by name with their sizes, and ignores other folders', async () => {
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

  test('sizeOf() returns the size of a published file, and null for a file set aside', async () => {
    await publish('aa-song.wav');
    await publish('aa-empty.wav', '');
    expect([await store.sizeOf('aa-song.wav'), await store.sizeOf('aa-empty.wav')]).toEqual([17, 0]);
    await store.aside.begin('2026-11-22');
    await store.aside.put('aa-song.wav', '2026-11-22');
    expect([await store.sizeOf('aa-song.wav'), await store.sizeOf('aa-none.wav')]).toEqual([null, null]);
    expect(await setAside()).toEqual(['aa-song.wav']);
  });

  test('setting a file aside succeeds only while the file is published', async () => {
    await store.aside.begin('2026-11-22');
    expect(await store.aside.put('aa-none.wav', '2026-11-22')).toBe(false);
    await publish('aa-song.wav');
    expect(await store.aside.put('aa-song.wav', '2026-11-22')).toBe(true);
    expect(await store.aside.put('aa-song.wav', '2026-11-22')).toBe(false);
    expect(await heard('aa-song.wav')).not.toBeNull();
  });

  test('a file stays available while it is being set aside', async () => {
    await publish('aa-song.wav');
    await place.write('set-aside/2026-11-22/aa-song.wav', 'om mani padme hum');
    expect(await store.aside.restore('aa-song.wav')).toBe(false);
    // Simulates the last step of setting a file aside in a store that copies the file: removing the original.
    await place.remove(getMediaFilePath('aa-song.wav'));
    expect(await heard('aa-song.wav')).toEqual({ content: 'om mani padme hum', size: 17 });
  });

  test('reading a file that was set aside restores it, even with concurrent reads', async () => {
    await publish('aa-song.wav');
    await store.aside.begin('2026-11-22');
    await store.aside.put('aa-song.wav', '2026-11-22');
    const found = await Promise.all(Array.from({ length: 8 }, () => heard('aa-song.wav', { start: 14 })));
    expect(found).toEqual(Array(8).fill({ content: 'hum', size: 17 }));
    expect(await listed()).toEqual(['aa-song.wav']);
    expect(await store.aside.restore('aa-song.wav')).toBe(false);
  });

  test('lists the days on which files were set aside, oldest first', async () => {
    expect(await store.aside.days()).toEqual([]);
    for (const day of ['2026-11-22', '2026-01-05', '2026-11-22']) await store.aside.begin(day);
    expect(await store.aside.days()).toEqual(['2026-01-05', '2026-11-22']);
  });

  test('deletes the files set aside on one day, but not those of other days', async () => {
    for (const [name, day] of [
      ['aa-old.wav', '2026-01-05'],
      ['aa-new.wav', '2026-11-22'],
    ] as const) {
      await publish(name);
      await store.aside.begin(day);
      await store.aside.put(name, day);
    }
    await store.aside.deleteDay('2026-01-05');
    await store.aside.deleteDay('..');
    expect([await store.aside.days(), await setAside()]).toEqual([['2026-11-22'], ['aa-new.wav']]);
    expect(await heard('aa-old.wav')).toBeNull();
    expect(await store.aside.restore('aa-old.wav')).toBe(false);
    expect(await store.aside.restore('aa-new.wav')).toBe(true);
    expect(await heard('aa-new.wav')).not.toBeNull();
  });

  test('a store has an owner only between an installation’s claim and its release', async () => {
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

  test('if many processes claim the store at the same time, all see the same owner', async () => {
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

  test('reports a damaged installation id instead of treating it as missing', async () => {
    await place.write(INSTALLATION_FILE, 'half an i');
    await expect(store.installationId()).rejects.toThrow(InstallationMismatchError);
    await expect(store.installationId()).rejects.toThrow(/is damaged\. Restore it, or delete it/);
  });

  test('check() resolves if the store is writable', async () => {
    await store.claim(randomUUID());
    await store.check();
    await store.check();
  });

  test('serves a file that an operator copied into the media folder', async () => {
    await place.write(getMediaFilePath('aa-restored.wav'), 'from a backup');
    expect(await listed()).toEqual(['aa-restored.wav']);
    expect(await heard('aa-restored.wav')).toEqual({ content: 'from a backup', size: 13 });
    await place.remove(getMediaFilePath('aa-restored.wav'));
    expect(await heard('aa-restored.wav')).toBeNull();
  });
}
