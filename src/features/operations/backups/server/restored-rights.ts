import type pg from 'pg';
import type { BackupTable } from './archive.ts';

// Rights in restored rows. Some rows let people sign in, or let others hear a student. Such a right may have
// been revoked after the backup was taken, which the restored rows don't show.

const LEFT_EMPTY = new Set(['sessions', 'sign_in_tokens', 'password_reset_tokens', 'passkey_challenges']);

/** Returns whether a restore leaves a table empty, because its rows let people sign in. */
export const isExcludedFromRestore = (table: string) => LEFT_EMPTY.has(table);

/**
 * Suspends restored rights that may have been revoked since the backup. Asks students again about the
 * passages they share, and deletes unsent emails whose links no longer work. Works with the schema of the
 * backup, which may be older than the program's.
 * @returns the number of suspended passages, and their files, which no longer have rows
 */
export async function suspendRights(
  client: pg.ClientBase,
  tables: readonly BackupTable[],
): Promise<{ suspendedPassages: number; files: string[] }> {
  await client.query(
    `delete from mails where kind in ('password-reset', 'sign-in-link')
     and (status = 'queued' or outbox_file is not null)`,
  );
  if (!tables.some(({ name }) => name === 'agreements')) return { suspendedPassages: 0, files: [] };
  const shared = await client.query<{ name: string }>(
    `select audio_url as name from agreements where state = 'agreed'`,
  );
  // Keeps `answered_at`, which shows that the student agreed before.
  await client.query(
    `update agreements set state = 'asked', audio_url = null, name = null, signature = null where state = 'agreed'`,
  );
  const names = shared.rows.map(({ name }) => name);
  const deleted = await client.query<{ name: string }>(
    'delete from media_files where name = any($1) or copy_of = any($1) returning name',
    [names],
  );
  return { suspendedPassages: names.length, files: deleted.rows.map(({ name }) => name) };
}
