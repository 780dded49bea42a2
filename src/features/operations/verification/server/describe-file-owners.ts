import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Db } from '#server/db/database.ts';
import {
  agreements,
  feedback,
  heldFeedback,
  markVoices,
  mediaFiles,
  melodies,
  recordings,
  teachingNotes,
  users,
} from '#server/db/schema.ts';

/**
 * Describes each file in words: its kind, and the melody or recording that it belongs to. Leaves out files
 * that no row refers to.
 */
export async function describeFileOwners(db: Db, names: string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const copies = await db
    .select({ name: mediaFiles.name, copyOf: mediaFiles.copyOf, copy: mediaFiles.copy })
    .from(mediaFiles)
    .where(and(inArray(mediaFiles.name, names), isNotNull(mediaFiles.copyOf)));
  const originals = await describeOwnersOfOriginals(db, [...names, ...copies.map(({ copyOf }) => copyOf!)]);
  const owners = new Map(originals);
  for (const { name, copyOf, copy } of copies) {
    const owner = originals.get(copyOf!);
    if (owner) owners.set(name, `${copy!} copy of the ${owner}`);
  }
  return owners;
}

async function describeOwnersOfOriginals(db: Db, names: string[]): Promise<Map<string, string>> {
  const ofMelody = (column: typeof melodies.audioUrl | typeof melodies.thumbnailUrl, what: string) =>
    db
      .select({
        name: sql<string>`${column}`.as('name'),
        what: sql<string>`${what}::text`.as('what'),
        title: melodies.title,
        username: sql<string | null>`null`.as('username'),
      })
      .from(melodies)
      .where(inArray(column, names));
  const ofStudent = (
    column:
      | typeof recordings.audioUrl
      | typeof feedback.audioFeedbackUrl
      | typeof heldFeedback.audioFeedbackUrl
      | typeof markVoices.audioUrl
      | typeof agreements.audioUrl,
    what: string,
  ) =>
    db
      .select({
        name: sql<string>`${column}`.as('name'),
        what: sql<string>`${what}::text`.as('what'),
        title: recordings.title,
        username: sql<string | null>`${users.username}`.as('username'),
      })
      .from(recordings)
      .innerJoin(users, eq(users.id, recordings.studentId));
  const owners = await unionAll(
    ofMelody(melodies.audioUrl, 'melody'),
    ofMelody(melodies.thumbnailUrl, 'picture of the melody'),
    db
      .select({
        name: sql<string>`${teachingNotes.audioUrl}`.as('name'),
        what: sql<string>`'recording of a note on the melody'::text`.as('what'),
        title: melodies.title,
        username: sql<string | null>`null`.as('username'),
      })
      .from(teachingNotes)
      .innerJoin(melodies, eq(melodies.id, teachingNotes.melodyId))
      .where(inArray(teachingNotes.audioUrl, names)),
    ofStudent(agreements.audioUrl, 'shared passage of the recording')
      .innerJoin(agreements, eq(agreements.recordingId, recordings.id))
      .where(inArray(agreements.audioUrl, names)),
    ofStudent(recordings.audioUrl, 'recording').where(inArray(recordings.audioUrl, names)),
    ofStudent(feedback.audioFeedbackUrl, 'audio feedback on the recording')
      .innerJoin(feedback, eq(feedback.recordingId, recordings.id))
      .where(inArray(feedback.audioFeedbackUrl, names)),
    ofStudent(heldFeedback.audioFeedbackUrl, 'unsent audio feedback on the recording')
      .innerJoin(heldFeedback, eq(heldFeedback.recordingId, recordings.id))
      .where(inArray(heldFeedback.audioFeedbackUrl, names)),
    ofStudent(markVoices.audioUrl, 'voice comment on the recording')
      .innerJoin(markVoices, eq(markVoices.recordingId, recordings.id))
      .where(inArray(markVoices.audioUrl, names)),
  );
  return new Map(
    owners.map(({ name, what, title, username }) => [
      name,
      `${what} “${title}”${username === null ? '' : ` of ${username}`}`,
    ]),
  );
}
