import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '../data-folder/sync-folder.ts';
import { digestOf } from './digest.ts';
import type { Staging } from './staging.ts';
import type { MediaStore } from './store.ts';

/** A stored sound, as its row says. */
export type Original = { name: string; size: number; sha256: string; durationMs: number | null };

/**
 * A file of the store, in a file that a decoder may be given, and as it was received: what is made of a damaged one
 * would pass for whole.
 */
export async function fetchOriginal(
  { store, staging }: { store: MediaStore; staging: Staging },
  { name, size, sha256 }: Original,
  path: string,
): Promise<void> {
  await makeFolder(staging.folder);
  const opened = await store.open(name, { start: 0 });
  if (!opened) throw new Error('the sound is missing');
  await pipeline(opened.stream, createWriteStream(path, { mode: 0o600 }));
  const found = await digestOf(path);
  if (found.size !== size || found.sha256 !== sha256) throw new Error('the sound is damaged');
}
