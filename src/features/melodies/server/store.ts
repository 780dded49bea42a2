import { and, desc, eq, exists, or, sql, type SQL } from 'drizzle-orm';
import { wholeSeconds } from '../../../db/columns.ts';
import type { Db } from '../../../db/database.ts';
import { mediaFiles, melodies, transmissionLevels, userTransmissionAccess } from '../../../db/schema.ts';

/** Whose eyes a query sees with: all levels, or those granted to one student. */
export type Viewer = { id: string; role: 'admin' | 'student' };

const columns = {
  id: melodies.id,
  title: melodies.title,
  description: melodies.description,
  transmissionLevelId: melodies.transmissionLevelId,
  transmissionLevel: { id: transmissionLevels.id, name: transmissionLevels.name },
  vimeoUrl: melodies.vimeoUrl,
  melodyText: melodies.melodyText,
  /** What is played: the copy in which browsers seek exactly, where there is one. */
  audioUrl: sql<string | null>`coalesce(${melodies.playbackUrl}, ${melodies.audioUrl})`,
  thumbnailUrl: melodies.thumbnailUrl,
  duration: wholeSeconds(mediaFiles.durationMs),
  createdAt: melodies.createdAt,
};

export async function insertMelody(db: Db, melody: typeof melodies.$inferInsert) {
  const [row] = await db.insert(melodies).values(melody).returning({ id: melodies.id });
  return row!.id;
}

/** Newest first. */
export const listMelodies = (db: Db, viewer: Viewer, levelId?: number, search = '') =>
  selectMelodies(db)
    .where(
      and(
        mayHear(db, viewer),
        levelId === undefined ? undefined : eq(melodies.transmissionLevelId, levelId),
        ...wordsOf(search).map(hasWord),
      ),
    )
    .orderBy(desc(melodies.createdAt), desc(melodies.id));

export async function findMelody(db: Db, viewer: Viewer, id: number) {
  const [row] = await selectMelodies(db).where(and(eq(melodies.id, id), mayHear(db, viewer)));
  if (!row) return null;
  const [more] = await db
    .select({
      peaks: mediaFiles.peaks,
      timings: melodies.timings,
      // Without a row the audio lies outside of the store, and nothing is known against it.
      seeksExactly: sql<boolean>`${melodies.playbackUrl} is not null or coalesce(${mediaFiles.seeksExactly}, true)`,
    })
    .from(melodies)
    .leftJoin(mediaFiles, eq(mediaFiles.name, melodies.audioUrl))
    .where(eq(melodies.id, id));
  return more ? { ...row, ...more } : null;
}

export type FileNames = Pick<typeof melodies.$inferSelect, 'audioUrl' | 'playbackUrl' | 'thumbnailUrl'>;

/** What a change begins from; until the transaction ends, nobody else changes or deletes it. */
export async function lockMelody(tx: Db, id: number) {
  const [row] = await tx
    .select({
      title: melodies.title,
      description: melodies.description,
      transmissionLevelId: melodies.transmissionLevelId,
      vimeoUrl: melodies.vimeoUrl,
      melodyText: melodies.melodyText,
      audioUrl: melodies.audioUrl,
      playbackUrl: melodies.playbackUrl,
      thumbnailUrl: melodies.thumbnailUrl,
      timings: melodies.timings,
    })
    .from(melodies)
    .where(eq(melodies.id, id))
    .for('update');
  return row ?? null;
}

export async function updateMelody(tx: Db, id: number, melody: Partial<typeof melodies.$inferInsert>) {
  await tx.update(melodies).set(melody).where(eq(melodies.id, id));
}

/** @returns the files and the level that it had, or null when there is no such melody */
export async function deleteMelody(
  tx: Db,
  id: number,
): Promise<(FileNames & { transmissionLevelId: number }) | null> {
  const [row] = await tx.delete(melodies).where(eq(melodies.id, id)).returning({
    transmissionLevelId: melodies.transmissionLevelId,
    audioUrl: melodies.audioUrl,
    playbackUrl: melodies.playbackUrl,
    thumbnailUrl: melodies.thumbnailUrl,
  });
  return row ?? null;
}

/** The id, if the viewer may hear the melody; it can't be deleted before the transaction ends. */
export async function holdMelody(tx: Db, viewer: Viewer, id: number) {
  const [row] = await tx
    .select({ id: melodies.id })
    .from(melodies)
    .where(and(eq(melodies.id, id), mayHear(tx, viewer)))
    .for('key share', { of: melodies });
  return row?.id ?? null;
}

/** Which of these files, by their place in the list, belong to a melody that their viewer may hear: its audio, the copy
 * for playing, or its thumbnail. One query for all. */
export async function findHeard(db: Db, asked: readonly { viewer: Viewer; name: string }[]) {
  const list = (values: unknown[]) => sql.param(values);
  const names = list(asked.map(({ name }) => name));
  const ids = list(asked.map(({ viewer }) => viewer.id));
  const areAdmins = list(asked.map(({ viewer }) => viewer.role === 'admin'));
  const name = sql`asked.name`;
  const student = { id: sql`asked.user_id`, role: 'student' } as const;
  const { rows } = await db.execute<{ at: number }>(sql`
    select asked.at::int - 1 as at
    from unnest(${names}::text[], ${ids}::text[], ${areAdmins}::boolean[])
      with ordinality as asked(name, user_id, is_admin, at)
    where ${exists(
      db
        .select({ one: sql`1` })
        .from(melodies)
        .where(
          and(
            or(eq(melodies.audioUrl, name), eq(melodies.playbackUrl, name), eq(melodies.thumbnailUrl, name)),
            or(sql`asked.is_admin`, mayHear(db, student)),
          ),
        ),
    )}`);
  return new Set(rows.map(({ at }) => at));
}

const selectMelodies = (db: Db) =>
  db
    .select(columns)
    .from(melodies)
    .innerJoin(transmissionLevels, eq(transmissionLevels.id, melodies.transmissionLevelId))
    .leftJoin(mediaFiles, eq(mediaFiles.name, melodies.audioUrl));

/** The one rule of who may hear a melody. @param viewer whose id may be a column of the query around it */
function mayHear(db: Db, viewer: { id: string | SQL; role: Viewer['role'] }): SQL | undefined {
  if (viewer.role === 'admin') return undefined;
  return exists(
    db
      .select({ one: sql`1` })
      .from(userTransmissionAccess)
      .where(
        and(
          eq(userTransmissionAccess.userId, viewer.id),
          eq(userTransmissionAccess.transmissionLevelId, melodies.transmissionLevelId),
        ),
      ),
  );
}

/** A tsheg at the end is how one leaves a syllable when typing; the text may go on with a shad. */
const wordsOf = (search: string) =>
  search
    .split(/\s+/)
    .map((word) => word.replace(/(?<=.)[\u0f0b\u0f0c]+$/u, ''))
    .filter(Boolean);

/**
 * The word and what is searched are folded alike. The column, which has lost the accents of all scripts, has whatever
 * has the word, and now and then one more: it saves folding the texts of the whole library at each search.
 */
function hasWord(word: string): SQL {
  const escaped = word.replaceAll(/[\\%_]/g, String.raw`\$&`);
  const bare = sql`regexp_replace(normalize(lower(${escaped}::text), NFD), '[\\u0300-\\u036f]', '', 'g')`;
  const mayHave = sql`${melodies.searchText} like '%' || ${bare} || '%'`;
  return sql`(case when ${mayHave} then ${folded(searchedText)} like '%' || ${folded(sql`${escaped}::text`)} || '%' else false end)`;
}

const searchedText = sql`concat_ws(' ', ${melodies.title}, ${melodies.description}, ${melodies.melodyText})`;

/** A small Latin letter, by itself, and the accents on it. The rule in the browser is `search-words.ts`. */
const ACCENTED = String.raw`([a-z\u00df-\u02b8\u1d00-\u1dbf\u1e00-\u1eff\u2c60-\u2c7f\ua720-\ua7ff])[\u0300-\u036f]+`;

const folded = (text: SQL): SQL =>
  sql`normalize(regexp_replace(normalize(lower(${text}), NFD), ${ACCENTED}, '\\1', 'g'), NFC)`;
