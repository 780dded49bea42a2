import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { connectionToRunning } from '../src/platform/server/embedded-postgres/connection.ts';

/** The contents of a data folder according to its database and its disk, bypassing the program. */
export type KeptData = {
  recordings: { title: string; clientId: string | null; sha256: string | null }[];
  /** Files that a row names. */
  mediaRows: string[];
  uploads: { clientId: string; size: number; bytes: Buffer }[];
  /** Files without a row, including staged ones. */
  orphanFiles: string[];
  /** Rows whose file is missing or different. */
  rowsWithoutFile: string[];
  /** Files of chunks without an upload in progress. */
  orphanChunks: number;
};

/** How long the sweep of a start may take. */
const SWEEP_MS = 15_000;

/** What is there after the sweep of the start: leftover files get the time that it needs. */
export async function keptAfterSweep(dataDir: string): Promise<KeptData> {
  const until = Date.now() + SWEEP_MS;
  for (;;) {
    const kept = await keptIn(dataDir);
    if (kept.orphanFiles.length + kept.orphanChunks === 0 || Date.now() > until) return kept;
    await wait(50);
  }
}

async function keptIn(dataDir: string): Promise<KeptData> {
  const connection = await connectionToRunning(dataDir);
  if (!connection) throw new Error('The database does not run.');
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const ask = async <T>(statement: string) => (await client.query(statement)).rows as T[];
    const media = await ask<{ name: string; sha256: string }>('select name, sha256 from media_files');
    const uploads = await ask<Upload>('select client_id, size, received, file from uploads');
    const recordings = await ask<{ title: string; client_id: string | null; sha256: string | null }>(
      `select title, client_id, sha256 from recordings left join media_files on name = audio_url order by id`,
    );
    const files = await filesOf(dataDir);
    const named = new Set(media.map(({ name }) => name));
    const open = new Set(uploads.map(({ file }) => file));
    const partial = await readdir(join(dataDir, 'uploads')).catch(() => []);
    return {
      recordings: recordings.map(({ title, client_id, sha256 }) => ({ title, clientId: client_id, sha256 })),
      mediaRows: media.map(({ name }) => name),
      uploads: await Promise.all(
        uploads.map(async (upload) => ({
          clientId: upload.client_id,
          size: upload.size,
          bytes: await receivedBy(dataDir, upload),
        })),
      ),
      orphanFiles: [...files.keys()].filter((name) => !named.has(name)),
      rowsWithoutFile: [
        ...media.filter(({ name, sha256 }) => files.get(name) !== sha256).map(({ name }) => name),
        ...recordings.filter(({ sha256 }) => sha256 === null).map(({ title }) => title),
      ],
      orphanChunks: partial.filter((name) => !open.has(name)).length,
    };
  } finally {
    await client.end();
  }
}

type Upload = { client_id: string; size: number; received: number; file: string };

/** The bytes of an upload that were acknowledged; fewer if they are not all there. */
async function receivedBy(dataDir: string, { file, received }: Upload): Promise<Buffer> {
  const bytes = await readFile(join(dataDir, 'uploads', file)).catch(() => Buffer.alloc(0));
  return bytes.subarray(0, received);
}

/** Resolves when there is a new file among the media, or at the signal. */
export async function mediaFileAppears(dataDir: string, signal: AbortSignal): Promise<void> {
  const count = async () => {
    const folder = join(dataDir, 'media');
    const groups = (await readdir(folder).catch(() => [])).filter((group) => group.length === 2);
    // A file that is just being removed is not new.
    const names = await Promise.all(groups.map((group) => readdir(join(folder, group)).catch(() => [])));
    return names.flat().length;
  };
  const before = await count();
  while (!signal.aborted && (await count()) <= before);
}

/** The names of the stored media files. */
export const mediaFilesOf = async (dataDir: string) => [...(await filesOf(dataDir, ['media'])).keys()];

/** Each file in use by its name, with the hash of its content: neither those set aside, nor the installation's id. */
async function filesOf(dataDir: string, folders = ['media', 'staging']): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const folder of folders) {
    const entries = await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    const isInUse = ({ name, parentPath }: { name: string; parentPath: string }) =>
      !parentPath.includes('set-aside') && !name.startsWith('installation');
    for (const entry of entries.filter((each) => each.isFile() && isInUse(each))) {
      // The sweep may be removing it at this moment.
      const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => null);
      if (bytes) files.set(entry.name, sha256Of(bytes));
    }
  }
  return files;
}

/**
 * Everything that people have sent, under the keys of the ledger: recordings by their sound, replies and melodies by
 * their words and their sound, drafts by their words, uploads by the bytes received.
 */
export async function keptValues(
  connection: pg.ClientConfig,
  dataDir: string,
  sounds: () => Promise<Sounds> = () => soundsOnDisk(dataDir),
): Promise<Map<string, string[]>> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const ask = async <T>(statement: string) => (await client.query(statement)).rows as T[];
    const files = await sounds();
    const kept = new Map<string, string[]>();
    const add = (key: string, value: string) => kept.set(key, [...(kept.get(key) ?? []), value]);
    const soundOf = (name: string | null) =>
      name === null ? null : (files.get(name) ?? 'a file that is gone');

    for (const row of await ask<{ title: string; sound: string }>(
      'select title, audio_url as sound from recordings',
    ))
      add(`recording ${row.title}`, soundOf(row.sound)!);
    for (const row of await ask<{ title: string; written: string; sound: string | null }>(
      `select title, written_feedback as written, audio_feedback_url as sound
       from feedback join recordings on recordings.id = recording_id`,
    ))
      add(`feedback ${row.title}`, digest(row.written, soundOf(row.sound)));
    for (const row of await ask<{ title: string; text: string }>(
      'select title, text from feedback_drafts join recordings on recordings.id = recording_id',
    ))
      add(`draft ${row.title}`, row.text);
    for (const row of await ask<{ title: string; text: string; sound: string }>(
      'select title, melody_text as text, audio_url as sound from melodies',
    ))
      add(`melody ${row.title}`, digest(row.text, soundOf(row.sound)));
    for (const row of await ask<Upload>('select client_id, size, received, file from uploads')) {
      const bytes = await receivedBy(dataDir, row);
      add(`upload ${row.client_id}`, row.received > 0 ? sha256Of(bytes) : 'begun');
    }
    return kept;
  } finally {
    await client.end();
  }
}

/** The hash of each stored file, by its name. */
export type Sounds = Map<string, string>;

export const soundsOnDisk = (dataDir: string): Promise<Sounds> => filesOf(dataDir, ['media']);

/** Words and sound as one value of the ledger. */
export const digestOf = (words: string, sound: Uint8Array | null) => digest(words, sound && sha256Of(sound));
const digest = (words: string, sound: string | null) => `${words} / ${sound ?? 'no sound'}`;

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
