import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findRunningConnectionSettings } from '#server/postgres/connection.ts';

// Reads a program's stored data directly from its database and disk.

/** The hash of each stored file, by its name. */
export type StoredFileHashes = Map<string, string>;

type Upload = { client_id: string; received: number; file: string };

/** Maximum duration of the sweep after the program starts. */
const SWEEP_MS = 15_000;

/**
 * Returns digests of everything that users have sent, under the keys of the ledger. A digest is made from the
 * audio of a recording, the text and audio of a reply or melody, the text of a draft, or the received bytes of
 * an upload.
 */
export function readStoredValues(
  connection: pg.ClientConfig,
  dataDir: string,
  readSounds: () => Promise<StoredFileHashes> = () => hashMediaFiles(dataDir),
): Promise<Map<string, string[]>> {
  return withClient(connection, async (client) => {
    const ask = async <T>(statement: string) => (await client.query(statement)).rows as T[];
    const sounds = await readSounds();
    const kept = new Map<string, string[]>();
    const add = (key: string, value: string) => kept.set(key, [...(kept.get(key) ?? []), value]);
    const soundOf = (name: string | null) => (name === null ? null : (sounds.get(name) ?? 'a missing file'));

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
    for (const { client_id, received, file } of await ask<Upload>(
      'select client_id, received, file from uploads',
    )) {
      const bytes = await readFile(join(dataDir, 'uploads', file)).catch(() => Buffer.alloc(0));
      add(`upload ${client_id}`, received > 0 ? hashBytes(bytes.subarray(0, received)) : 'begun');
    }
    return kept;
  });
}

/**
 * Waits up to SWEEP_MS for the sweep at startup to remove leftovers. Returns the names of those that remain:
 * files without a row, files that are missing or differ from their row, and chunks without an upload.
 */
export async function findLeftoversAfterSweep(dataDir: string): Promise<string[]> {
  const connection = await findRunningConnectionSettings(dataDir);
  if (!connection) throw new Error('The database does not run.');
  return withClient(connection, async (client) => {
    for (const until = Date.now() + SWEEP_MS; ; await wait(50)) {
      const leftovers = await findLeftovers(dataDir, client);
      if (leftovers.length === 0 || Date.now() > until) return leftovers;
    }
  });
}

async function findLeftovers(dataDir: string, client: pg.Client): Promise<string[]> {
  const uploads = (await client.query<Upload>('select client_id, received, file from uploads')).rows;
  const open = new Set(uploads.map(({ file }) => file));
  const chunks = await readdir(join(dataDir, 'uploads')).catch(() => []);
  const media = await readMediaRows(client);
  const files = await hashFiles(dataDir, ['media', 'staging']);
  return [
    ...excludeRows(files, media),
    ...media.filter(({ name, sha256 }) => files.get(name) !== sha256).map(({ name }) => name),
    ...chunks.filter((name) => !open.has(name)),
  ];
}

/** Returns stored files to which no row refers. */
export const findFilesWithoutRow = async (dataDir: string, client: pg.Client) =>
  excludeRows(await hashMediaFiles(dataDir), await readMediaRows(client));

type MediaRow = { name: string; sha256: string };

const readMediaRows = async (client: pg.Client) =>
  (await client.query<MediaRow>('select name, sha256 from media_files')).rows;

function excludeRows(files: StoredFileHashes, rows: MediaRow[]): string[] {
  const named = new Set(rows.map(({ name }) => name));
  return [...files.keys()].filter((name) => !named.has(name));
}

async function withClient<T>(connection: pg.ClientConfig, use: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Hashes the files in these folders, except files set aside and the file with the installation's id. */
async function hashFiles(dataDir: string, folders: string[]): Promise<StoredFileHashes> {
  const files: StoredFileHashes = new Map();
  for (const folder of folders) {
    const entries = await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    const isInUse = ({ name, parentPath }: { name: string; parentPath: string }) =>
      !parentPath.includes('set-aside') && !name.startsWith('installation');
    for (const entry of entries.filter((each) => each.isFile() && isInUse(each))) {
      // Skips a file that the sweep has just deleted.
      const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => null);
      if (bytes) files.set(entry.name, hashBytes(bytes));
    }
  }
  return files;
}

export const hashMediaFiles = (dataDir: string) => hashFiles(dataDir, ['media']);

/** Combines text and audio into a value for the ledger. */
export const toLedgerValue = (words: string, sound: Uint8Array | null) =>
  digest(words, sound && hashBytes(sound));
const digest = (words: string, sound: string | null) => `${words} / ${sound ?? 'no sound'}`;

export const hashBytes = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
