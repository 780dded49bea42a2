import type { FeedbackService } from '#features/feedback/server/service.ts';
import type { RecordingsService } from '#features/recordings/server/service.ts';
import type { ExportArchive, RunQueuedQuery } from './archive.ts';
import type { CsvRow } from '#shared/csv.ts';
import { toSafeFileName, createUniqueFileNamer } from './file-names.ts';
import { formatUtcDate, formatUtcDateTime, listMarkVoiceFiles, composeRecordingText } from './texts.ts';

const COLUMNS = [
  ...['Sent', 'Title', 'Recording number', 'Seconds', 'Status', 'Recording', 'Text'],
  ...['Feedback given', 'Audio feedback'],
];

const REPLY_SUFFIX = ', audio feedback';

type Deps = { recordings: RecordingsService; feedback: FeedbackService; teacherTitle: string };

/** Adds a student's recordings with their replies, newest first, and a table that lists them. */
export async function addRecordingsToArchive(
  { recordings, feedback, teacherTitle }: Deps,
  student: { id: string },
  { addText, addFile, readPages, finish }: ExportArchive,
  inTurn: RunQueuedQuery,
) {
  const unique = createUniqueFileNamer(['', REPLY_SUFFIX]);
  const table: CsvRow[] = [COLUMNS];
  for await (const rows of readPages({ one: 'recording', many: 'recordings' }, (before) =>
    recordings.listOf(student, before),
  )) {
    const replies = await inTurn(() => feedback.listByRecordings(rows.map(({ id }) => id)));
    for (const recording of rows) {
      const { title, attempt, createdAt } = recording;
      const reply = replies.find(({ recordingId }) => recordingId === recording.id) ?? null;
      const number = attempt === null ? '' : `, recording ${attempt}`;
      const stem = `recordings/${unique(`${formatUtcDate(createdAt)} ${toSafeFileName(title)}${number}`)}`;
      const sound = await addFile(recording.audioUrl, 'audio', stem, createdAt);
      const text = composeRecordingText(recording, reply, teacherTitle);
      if (text) await addText(`${stem}.txt`, text, reply?.createdAt ?? createdAt);
      const spoken =
        reply && (await addFile(reply.audioFeedbackUrl, 'audio', stem + REPLY_SUFFIX, reply.createdAt));
      for (const { audioUrl, name } of reply ? listMarkVoiceFiles(reply) : [])
        await addFile(audioUrl, 'audio', stem + name, reply!.createdAt);
      table.push([
        ...[
          formatUtcDateTime(createdAt),
          title,
          attempt,
          recording.duration,
          reply?.status ?? recording.status,
          sound,
        ],
        ...[text && `${stem}.txt`, reply && formatUtcDateTime(reply.createdAt), spoken],
      ]);
    }
  }
  await finish('recordings.csv', table);
}
