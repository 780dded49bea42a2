import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { feedback, recordingLines, recordings, users } from '#server/db/schema.ts';
import { paginateById } from '#server/db/page.ts';
import { LINE_START_TOLERANCE_SECONDS } from '#features/feedback/limits.ts';
import { MIN_LINE_CONFIDENCE } from '#features/line-matching/limits.ts';
import type { MarkedFeedback } from '../contract.ts';
import { MARKED_FEEDBACK_PAGE_SIZE } from '../limits.ts';

/**
 * The timed lines of a melody, in the order in which they are sung, and the time since which feedback counts.
 * A line's place is its number in this order, from 1.
 */
export type MarksByLineParams = {
  melodyId: number;
  since: Date;
  /** Start times, in seconds from the start of the melody's audio. */
  starts: number[];
  /** End of the melody's audio, in seconds. A mark after it is at no line. */
  end: number;
  /** Maps lines of the text to places. Several lines of the text can belong to one timed line. */
  places: { line: number; place: number }[];
};

/**
 * Returns SQL that selects the marks in feedback on a melody's recordings, each with the place of its line, or
 * 0 if it is at no line. The mark's `melodyAt` determines its line, as on the page that shows the mark. Marks
 * from before the melody was timed have no `melodyAt`, so they get the line that was detected with high
 * confidence at their position in the recording.
 */
function selectMarksWithPlace({ melodyId, since, starts, end, places }: MarksByLineParams): SQL {
  const startsOf = sql`${sql.param(starts)}::float8[]`;
  const [lines, placesOfLines] = [places.map(({ line }) => line), places.map(({ place }) => place)];
  const bySecond = sql`case when mark.melody_at <= ${end}
    then coalesce(array_position(${startsOf}, mark.melody_at), width_bucket(mark.melody_at + ${LINE_START_TOLERANCE_SECONDS}, ${startsOf}))
    else 0 end`;
  const bySinging = sql`coalesce((
    select known.place
    from ${recordingLines},
      jsonb_to_recordset(${recordingLines.lines}) as sung (line int, start float8, "end" float8, sure float8)
      join unnest(${sql.param(lines)}::int[], ${sql.param(placesOfLines)}::int[]) as known (line, place)
        on known.line = sung.line
    where ${recordingLines.recordingId} = answer.recording_id and sung.sure >= ${MIN_LINE_CONFIDENCE}
      and mark.start between sung.start - ${LINE_START_TOLERANCE_SECONDS} and sung."end"
    order by sung.start desc limit 1), 0)`;
  return sql`
    select answer.id, answer.recording_id, answer.student_id, mark.start, mark."end", mark.text, mark.voice,
      case when mark.melody_at is not null then ${bySecond} when mark.is_at_none then 0 else ${bySinging} end as place
    from (
      select ${feedback.id}, ${feedback.recordingId}, ${recordings.studentId}, ${feedback.marks}
      from ${recordings} join ${feedback} on ${feedback.recordingId} = ${recordings.id}
      where ${recordings.melodyId} = ${melodyId} and ${feedback.createdAt} >= ${since.toISOString()}::timestamptz
    ) as answer,
    lateral (
      select (value ->> 'start')::float8 as start, (value ->> 'end')::float8 as "end", value ->> 'text' as text,
        value ->> 'voice' as voice, (value ->> 'melodyAt')::float8 as melody_at, value ? 'melodyAt' as is_at_none
      from jsonb_array_elements(answer.marks)
    ) as mark`;
}

/** Counts the marks at each place, and the students whose recordings have these marks. */
export async function countMarksByLine(db: Db, lines: MarksByLineParams) {
  const { rows } = await db.execute<{ place: number; marks: number; students: number }>(sql`
    select place, count(*)::int as marks, count(distinct student_id)::int as students
    from (${selectMarksWithPlace(lines)}) as placed group by place`);
  return rows;
}

/**
 * Lists feedback with marks, newest first.
 * @param place place of a line, to list only feedback with marks there; null to list feedback with any marks
 */
export async function listMarkedFeedback(
  db: Db,
  lines: MarksByLineParams,
  { place, before }: { place: number | null; before?: number | undefined },
) {
  const isListed = place === null ? sql`true` : sql`place = ${place}`;
  const { rows } = await db.execute<{ total: number; answers: MarkedFeedbackRow[] }>(sql`
    with marked as materialized (
      select id, recording_id, jsonb_agg(jsonb_build_object('start', start, 'end', "end", 'text', text,
        'isSpoken', voice is not null) order by start, "end") as marks
      from (${selectMarksWithPlace(lines)}) as placed where ${isListed} group by id, recording_id
    ), page as (
      select * from marked where ${before === undefined ? sql`true` : sql`id < ${before}`}
      order by id desc limit ${MARKED_FEEDBACK_PAGE_SIZE + 1}
    )
    select (select count(*)::int from marked) as total, coalesce(jsonb_agg(jsonb_build_object(
      'id', page.id, 'recordingId', page.recording_id, 'marks', page.marks, 'title', ${recordings.title},
      'createdAt', extract(epoch from ${feedback.createdAt}) * 1000,
      'student', jsonb_build_object('firstName', ${users.firstName}, 'lastName', ${users.lastName},
        'username', ${users.username})) order by page.id desc), '[]') as answers
    from page join ${recordings} on ${recordings.id} = page.recording_id
      join ${feedback} on ${feedback.id} = page.id join ${users} on ${users.id} = ${recordings.studentId}`);
  const { total, answers } = rows[0]!;
  const found = answers.map((each) => ({ ...each, createdAt: new Date(each.createdAt) }));
  return paginateById(found, MARKED_FEEDBACK_PAGE_SIZE, total);
}

type MarkedFeedbackRow = Omit<MarkedFeedback, 'createdAt'> & { createdAt: number };
