import type { FeedbackService } from '#features/feedback/server/service.ts';
import type { RecordingsService } from '#features/recordings/server/service.ts';
import type { ExportArchive, RunQueued } from './archive.ts';
import type { CsvRow } from '#shared/csv.ts';
import { toSafeName, createUniqueNames } from './file-names.ts';
import { formatDay, formatMoment, listSpokenMarks, composeRecordingText } from './texts.ts';

const COLUMNS = [
  ...['Sent', 'Title', 'Recording number', 'Seconds', 'Status', 'Recording', 'Text'],
  ...['Feedback given', 'Audio feedback'],
];

const REPLY_SUFFIX = ', audio feedback';

type Deps = { recordings: RecordingsService; feedback: FeedbackService; teacherTitle: string };

/** Adds a student's recordings with their replies, newest first. */
export async function addRecordings(
  { recordings, feedback, teacherTitle }: Deps,
  student: { id: string },
  { addText, copy, readPages, finish }: ExportArchive,
  inTurn: RunQueued,
) {
  const unique = createUniqueNames(['', REPLY_SUFFIX]);
  const table: CsvRow[] = [COLUMNS];
  for await (const rows of readPages({ one: 'recording', many: 'recordings' }, (before) =>
    recordings.listOf(student, before),
  )) {
    const replies = await inTurn(() => feedback.listByRecordings(rows.map(({ id }) => id)));
    for (const recording of rows) {
      const { title, attempt, createdAt } = recording;
      const reply = replies.find(({ recordingId }) => recordingId === recording.id) ?? null;
      const number = attempt === null ? '' : `, recording ${attempt}`;
      const stem = `recordings/${unique(`${formatDay(createdAt)} ${toSafeName(title)}${number}`)}`;
      const sound = await copy(recording.audioUrl, 'audio', stem, createdAt);
      const text = composeRecordingText(recording, reply, teacherTitle);
      if (text) await addText(`${stem}.txt`, text, reply?.createdAt ?? createdAt);
      const spoken =
        reply && (await copy(reply.audioFeedbackUrl, 'audio', stem + REPLY_SUFFIX, reply.createdAt));
      for (const { audioUrl, name } of reply ? listSpokenMarks(reply) : [])
        await copy(audioUrl, 'audio', stem + name, reply!.createdAt);
      table.push([
        ...[
          formatMoment(createdAt),
          title,
          attempt,
          recording.duration,
          reply?.status ?? recording.status,
          sound,
        ],
        ...[text && `${stem}.txt`, reply && formatMoment(reply.createdAt), spoken],
      ]);
    }
  }
  await finish('recordings.csv', table);
}
