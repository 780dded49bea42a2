import {
  and,
  type Column,
  desc,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  lt,
  not,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { selectSoundCopies, selectReceivedLevels, selectWholeSeconds } from '#server/db/columns.ts';
import type { Db } from '#server/db/database.ts';
import {
  agreements,
  soundCopyJobs,
  mediaFiles,
  melodies,
  recordings,
  teachingNotes,
  transmissionLevels,
  users,
} from '#server/db/schema.ts';
import { foldText } from '#shared/search-words.ts';
import { MAX_EXCERPT_LENGTH, createExcerpt } from '../listed-melody.ts';
import { getSearchableText } from '../search.ts';
import { paginateById } from '#server/db/page.ts';
import { getNgramHashes, hasNgrams } from '#server/db/ngrams.ts';

/** User for whom a query selects melodies. An admin may hear all levels, a student only granted levels. */
export type Viewer = { id: string; role: 'admin' | 'student' };

/** Ids of the levels whose melodies a viewer may hear, in ascending order. */
export type AccessibleLevels = readonly number[] | 'all';

/** Amount of data per melody: everything, what cards show, or only the id. */
export type MelodyView = 'full' | 'card' | 'id';

/** Views that include texts or their beginning. */
type TextView = Exclude<MelodyView, 'id'>;

const getColumns = (view: TextView) => ({
  id: melodies.id,
  title: melodies.title,
  description: selectByView(
    view,
    sql`left(${melodies.description}, ${MAX_EXCERPT_LENGTH + 1})`,
    melodies.description,
  ),
  transmissionLevelId: melodies.transmissionLevelId,
  transmissionLevel: { id: transmissionLevels.id, name: transmissionLevels.name },
  vimeoUrl: melodies.vimeoUrl,
  melodyText: selectByView(view, sql`null`, melodies.melodyText),
  // PostgreSQL computes this without reading the text, which may be long.
  textBytes: sql<number>`coalesce(octet_length(${melodies.melodyText}), 0)`,
  audioUrl: melodies.audioUrl,
  audioCopies: selectSoundCopies(melodies.audioUrl),
  thumbnailUrl: melodies.thumbnailUrl,
  duration: selectWholeSeconds(mediaFiles.durationMs),
  createdAt: melodies.createdAt,
});

const selectByView = (view: TextView, card: SQL, full: Column) =>
  sql<string | null>`${view === 'card' ? card : full}`;

export async function insertMelody(db: Db, melody: typeof melodies.$inferInsert) {
  const [row] = await db
    .insert(melodies)
    .values({ ...melody, ...getSearchColumns(melody) })
    .returning({ id: melodies.id });
  return row!.id;
}

export async function findMelodyIdByClientId(db: Db, authorId: string, clientId: string) {
  const [row] = await db
    .select({ id: melodies.id })
    .from(melodies)
    .where(and(eq(melodies.createdBy, authorId), eq(melodies.clientId, clientId)));
  return row?.id ?? null;
}

/** Returns the melody's id if `changeId` is the id of its last change, otherwise null. */
export async function findMelodyIdByChangeId(db: Db, id: number, changeId: string) {
  const [row] = await db
    .select({ id: melodies.id })
    .from(melodies)
    .where(and(eq(melodies.id, id), eq(melodies.changeId, changeId)));
  return row?.id ?? null;
}

/** Lists the melodies of the given levels, newest first. */
export const listMelodies = (db: Db, view: MelodyView, levels: AccessibleLevels) =>
  listNewestFirst(db, view, hasReceivedLevel(levels === 'all' ? 'all' : sql`${sql.param(levels)}::int[]`));

/** Returns the given melodies that the viewer may hear, in any order. */
export const listAccessibleMelodies = (db: Db, viewer: Viewer, ids: number[]) =>
  selectMelodies(db, 'card').where(and(sql`${melodies.id} = any(${sql.param(ids)}::int[])`, canHear(viewer)));

/** Lists the ids of timed melodies that the viewer may hear. */
export async function listTimedMelodyIds(db: Db, viewer: Viewer) {
  const rows = await db
    .select({ id: melodies.id })
    .from(melodies)
    .where(and(isNotNull(melodies.timings), isNotNull(melodies.audioUrl), canHear(viewer)))
    .orderBy(melodies.id);
  return rows.map(({ id }) => id);
}

/** Lists for every melody whether it is timed, and how many recordings of it exist. */
export function listMelodyUsage(db: Db) {
  const counts = db
    .select({ melodyId: recordings.melodyId, count: sql<number>`count(*)::int`.as('count') })
    .from(recordings)
    .where(isNotNull(recordings.melodyId))
    .groupBy(recordings.melodyId)
    .as('counts');
  return db
    .select({
      id: melodies.id,
      isTimed: sql<boolean>`${melodies.timings} is not null`,
      recordingCount: sql<number>`coalesce(${counts.count}, 0)`,
    })
    .from(melodies)
    .leftJoin(counts, eq(counts.melodyId, melodies.id))
    .orderBy(desc(melodies.id));
}

async function listNewestFirst(db: Db, view: MelodyView, where: SQL | undefined) {
  const order = [desc(melodies.createdAt), desc(melodies.id)];
  if (view === 'id')
    return db
      .select({ id: melodies.id })
      .from(melodies)
      .where(where)
      .orderBy(...order);
  const rows = await selectMelodies(db, view)
    .where(where)
    .orderBy(...order);
  if (view === 'full') return rows;
  return rows.map(({ description, ...row }) => ({ ...row, excerpt: createExcerpt(description) }));
}

/** Melodies per page. Few, because complete texts may be long. */
const COMPLETE_PAGE_SIZE = 20;

/**
 * Returns a page of complete melodies, newest first, with files and texts as they were sent.
 * @param before id of a melody; the page contains only melodies with smaller ids
 */
export async function listMelodiesForExport(db: Db, before?: number) {
  const rows = await db
    .select({
      id: melodies.id,
      title: melodies.title,
      level: transmissionLevels.name,
      description: melodies.description,
      vimeoUrl: melodies.vimeoUrl,
      audioUrl: melodies.audioUrl,
      thumbnailUrl: melodies.thumbnailUrl,
      melodyText: melodies.melodyText,
      timings: melodies.timings,
      duration: selectWholeSeconds(mediaFiles.durationMs),
      createdAt: melodies.createdAt,
    })
    .from(melodies)
    .innerJoin(transmissionLevels, eq(transmissionLevels.id, melodies.transmissionLevelId))
    .leftJoin(mediaFiles, eq(mediaFiles.name, melodies.audioUrl))
    .where(before === undefined ? undefined : lt(melodies.id, before))
    .orderBy(desc(melodies.id))
    .limit(COMPLETE_PAGE_SIZE + 1);
  return paginateById(rows, COMPLETE_PAGE_SIZE, await db.$count(melodies));
}

/** Returns the number of melodies and the total size of their original files, in bytes. */
export async function getLibrarySize(db: Db) {
  const [row] = await db
    .select({ bytes: sql<number>`coalesce(sum(${mediaFiles.size}), 0)::float8` })
    .from(mediaFiles)
    .where(
      and(
        inArray(mediaFiles.slot, ['melody-audio', 'melody-thumbnail']),
        sql`not exists (select from ${teachingNotes} where ${teachingNotes.audioUrl} = ${mediaFiles.name})`,
        sql`not exists (select from ${agreements} where ${agreements.audioUrl} = ${mediaFiles.name})`,
      ),
    );
  return { melodies: await db.$count(melodies), bytes: row!.bytes };
}

/** Finds melodies that the viewer may hear and that contain every folded word, newest first. */
export async function searchMelodies(
  tx: Db,
  view: MelodyView,
  viewer: Viewer,
  words: string[],
  levelId?: number,
) {
  // Makes PostgreSQL use the index even for common words. The planner underestimates the cost of comparing
  // arrays, so it would scan all rows. With 2,000 texts of 50,000 characters, the scan took 140 to 1,000 ms,
  // and the index took 0.1 to 3 ms.
  await tx.execute(sql`set local enable_seqscan = off`);
  return listNewestFirst(
    tx,
    view,
    and(hasNgrams(melodies.foldedGrams, words), isOfLevel(levelId), containsWords(words, canHear(viewer))),
  );
}

/**
 * Returns the condition that a melody's text contains all words. Reads only the texts of melodies that the
 * viewer may hear, and decompresses each text only once.
 */
function containsWords(words: string[], mayBeHeard: SQL | undefined): SQL {
  const all = sql.join(
    words.map((word) => sql`strpos(folded, ${word}) > 0`),
    sql` and `,
  );
  const found = sql`(select ${all} from (select ${melodies.foldedText} || '' as folded offset 0) as once)`;
  return mayBeHeard ? sql`case when ${mayBeHeard} then ${found} else false end` : found;
}

const isOfLevel = (id: number | undefined) =>
  id === undefined ? undefined : eq(melodies.transmissionLevelId, id);

/** Derives the search columns from the texts. They must be saved whenever the texts are saved. */
function getSearchColumns(texts: SearchedTexts) {
  const foldedText = foldText(getSearchableText(texts));
  return { foldedTitle: foldText(texts.title), foldedText, foldedGrams: getNgramHashes(foldedText) };
}

type SearchedTexts = Pick<typeof melodies.$inferInsert, 'title' | 'description' | 'melodyText'>;

/**
 * Fills the search columns of some melodies saved before these columns existed.
 * @returns the number of melodies whose columns were filled
 */
export async function backfillMelodySearchColumnsBatch(tx: Db): Promise<number> {
  const rows = await tx
    .select({
      id: melodies.id,
      title: melodies.title,
      description: melodies.description,
      melodyText: melodies.melodyText,
    })
    .from(melodies)
    .where(isNull(melodies.foldedText))
    .limit(20)
    .for('update', { skipLocked: true });
  for (const { id, ...texts } of rows)
    await tx.update(melodies).set(getSearchColumns(texts)).where(eq(melodies.id, id));
  return rows.length;
}

/**
 * Returns a melody with the data for its player; null if it does not exist or the viewer may not hear it.
 * @param makesCopies whether this server makes copies that allow exact seeking. A queued copy then counts as
 *   seekable.
 */
export async function findMelody(db: Db, viewer: Viewer, id: number, makesCopies: boolean) {
  const [row] = await selectMelodies(db, 'full').where(and(eq(melodies.id, id), canHear(viewer)));
  if (!row) return null;
  const [more] = await db
    .select({
      peaks: mediaFiles.peaks,
      timings: melodies.timings,
      // Audio without a row in `media_files` is outside the media store and is assumed to seek exactly.
      seeksExactly: sql<boolean>`coalesce(${mediaFiles.seeksExactly}, true)
        or 'full' = any(${selectSoundCopies(melodies.audioUrl)}) or ${makesCopies} and ${soundCopyJobs.id} is not null`,
    })
    .from(melodies)
    .leftJoin(mediaFiles, eq(mediaFiles.name, melodies.audioUrl))
    .leftJoin(soundCopyJobs, eq(soundCopyJobs.original, melodies.audioUrl))
    .where(eq(melodies.id, id));
  return more ? { ...row, ...more } : null;
}

/** Columns that users don't see or that never change. */
type InternalColumn =
  | 'id'
  | 'foldedTitle'
  | 'foldedText'
  | 'foldedGrams'
  | 'createdBy'
  | 'clientId'
  | 'changeId'
  | 'importId'
  | 'createdAt';

/**
 * Columns that the player and the cards show. A new column of the table must be added here or to
 * `InternalColumn`.
 */
const contentColumns = {
  title: melodies.title,
  description: melodies.description,
  transmissionLevelId: melodies.transmissionLevelId,
  vimeoUrl: melodies.vimeoUrl,
  melodyText: melodies.melodyText,
  timings: melodies.timings,
  audioUrl: melodies.audioUrl,
  playbackUrl: melodies.playbackUrl,
  thumbnailUrl: melodies.thumbnailUrl,
} satisfies Record<Exclude<keyof typeof melodies.$inferSelect, InternalColumn>, Column>;

const sound = alias(mediaFiles, 'sound');
const picture = alias(mediaFiles, 'picture');

/**
 * Returns the given melodies that the viewer may store on a device, each with its version and files. Excludes
 * melodies whose audio is outside the media store, because its size and hash are unknown.
 */
export async function listStorableMelodies(db: Db, viewer: Viewer, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .select({
      id: melodies.id,
      // Doesn't include the peaks, because they change only with the audio file.
      version: sql<string>`encode(sha256(convert_to(row(
        ${sql.join([transmissionLevels.name, ...Object.values(contentColumns)], sql`, `)})::text, 'UTF8')), 'hex')`,
      sound,
      picture,
    })
    .from(melodies)
    .innerJoin(transmissionLevels, eq(transmissionLevels.id, melodies.transmissionLevelId))
    .leftJoin(sound, eq(sound.name, melodies.audioUrl))
    .leftJoin(picture, eq(picture.name, melodies.thumbnailUrl))
    .where(
      and(
        inArray(melodies.id, [...ids]),
        canStore(viewer),
        or(isNull(melodies.audioUrl), isNotNull(sound.name)),
      ),
    )
    .orderBy(melodies.id);
  return rows.map(({ id, version, ...files }) => ({
    id,
    version,
    files: [files.sound, files.picture].filter((file) => file !== null),
  }));
}

export type MelodyFileNames = Pick<typeof melodies.$inferSelect, 'audioUrl' | 'playbackUrl' | 'thumbnailUrl'>;

/** Locks a melody until the transaction ends, and returns its content; null if there is no such melody. */
export async function lockMelody(tx: Db, id: number) {
  const [row] = await tx.select(contentColumns).from(melodies).where(eq(melodies.id, id)).for('update');
  return row ?? null;
}

export async function updateMelody(
  tx: Db,
  id: number,
  melody: Partial<typeof melodies.$inferInsert> & SearchedTexts,
) {
  await tx
    .update(melodies)
    .set({ ...melody, ...getSearchColumns(melody) })
    .where(eq(melodies.id, id));
}

/**
 * Closes the import that added a melody, because it can't be undone as a whole once the melody changes. Called
 * before the change.
 */
export const closeImportOfMelody = (tx: Db, id: number) =>
  // Locks all melodies of the import in a fixed order, before anything else, to avoid deadlocks with concurrent
  // changes to other melodies of the import.
  tx.execute(sql`
    with together as materialized (
      select id from ${melodies}
      where import_id = (select import_id from ${melodies} where id = ${id}) order by id for update)
    update ${melodies} set import_id = null where id in (select id from together)`);

/** @returns the deleted melody's files, level and author, or null if there is no such melody */
export async function deleteMelody(
  tx: Db,
  id: number,
): Promise<
  | (MelodyFileNames & Pick<typeof melodies.$inferSelect, 'transmissionLevelId' | 'createdBy' | 'clientId'>)
  | null
> {
  const [row] = await tx.delete(melodies).where(eq(melodies.id, id)).returning({
    createdBy: melodies.createdBy,
    clientId: melodies.clientId,
    transmissionLevelId: melodies.transmissionLevelId,
    audioUrl: melodies.audioUrl,
    playbackUrl: melodies.playbackUrl,
    thumbnailUrl: melodies.thumbnailUrl,
  });
  return row ?? null;
}

/**
 * Locks a melody that the viewer may hear, so that it can't be deleted before the transaction ends. Returns its
 * id, or null if the viewer may not hear it.
 */
export async function lockAccessibleMelody(tx: Db, viewer: Viewer, id: number) {
  const [row] = await tx
    .select({ id: melodies.id })
    .from(melodies)
    .where(and(eq(melodies.id, id), canHear(viewer)))
    .for('key share', { of: melodies });
  return row?.id ?? null;
}

/**
 * Prepares the query that decides whether viewers may open files. A viewer may open the files of every melody
 * that the viewer may hear: the audio, the playback copy that version 0.2.0 exposed to pages, the thumbnail,
 * the audio of notes, and passages that students agreed to share in a note. One query handles several
 * requests and returns the indexes of the allowed ones.
 */
export function prepareFindAccessibleFiles(db: Db) {
  const name = sql`asked.name`;
  const student = { id: sql`asked.user_id`, role: 'student' } as const;
  const accessibleMelody = db
    .select({ one: sql`1` })
    .from(melodies)
    .where(
      and(
        or(
          eq(melodies.audioUrl, name),
          eq(melodies.playbackUrl, name),
          eq(melodies.thumbnailUrl, name),
          sql`${melodies.id} = (select ${teachingNotes.melodyId} from ${teachingNotes}
            where ${teachingNotes.audioUrl} = ${name})`,
          // A disabled student's passage is withheld, because that student can't revoke the agreement.
          sql`${melodies.id} = (select ${teachingNotes.melodyId} from ${agreements}
            join ${teachingNotes} on ${teachingNotes.id} = ${agreements.noteId}
            join ${recordings} on ${recordings.id} = ${agreements.recordingId}
            join ${users} on ${users.id} = ${recordings.studentId}
            where ${agreements.audioUrl} = ${name} and ${users.isActive})`,
        ),
        or(sql`asked.is_admin`, canHear(student)),
      ),
    );
  const [names, ids, areAdmins] = ['names', 'ids', 'areAdmins'].map((each) => sql.placeholder(each));
  const statement = db
    .select({ at: sql<number>`asked.at::int - 1` })
    .from(
      sql`unnest(${names}::text[], ${ids}::text[], ${areAdmins}::boolean[])
        with ordinality as asked(name, user_id, is_admin, at)`,
    )
    .where(exists(accessibleMelody))
    .prepare('heard_files');
  return async (asked: readonly { viewer: Viewer; name: string }[]): Promise<Set<number>> => {
    const rows = await statement.execute({
      names: asked.map((one) => one.name),
      ids: asked.map(({ viewer }) => viewer.id),
      areAdmins: asked.map(({ viewer }) => viewer.role === 'admin'),
    });
    return new Set(rows.map(({ at }) => at));
  };
}

const selectMelodies = (db: Db, view: TextView) =>
  db
    .select(getColumns(view))
    .from(melodies)
    .innerJoin(transmissionLevels, eq(transmissionLevels.id, melodies.transmissionLevelId))
    .leftJoin(mediaFiles, eq(mediaFiles.name, melodies.audioUrl));

/** Returns the condition for the melodies that a viewer may hear. */
const canHear = ({ id, role }: { id: string | SQL; role: Viewer['role'] }) =>
  hasReceivedLevel(role === 'admin' ? 'all' : selectReceivedLevels(id));

/** The only rule for who may hear a melody: students who have received its level, and all admins. */
const hasReceivedLevel = (received: SQL | 'all') =>
  received === 'all' ? undefined : sql`${melodies.transmissionLevelId} = any(${received})`;

/**
 * The only rule for who may store a melody on a device: anyone who may hear it, unless its level must never be
 * stored.
 */
const canStore = (viewer: Viewer) => and(not(transmissionLevels.neverKept), canHear(viewer));
