import type { FeedbackService } from '#features/feedback/server/service.ts';
import type { RecordingsService } from '#features/recordings/server/service.ts';
import type { Archive, InTurn } from './archive.ts';
import type { Row } from '#shared/csv.ts';
import { safeName, uniqueNames } from './file-names.ts';
import { day, moment, spokenMarks, textOf } from './texts.ts';

const COLUMNS = [
  ...['Sent', 'Title', 'Number', 'Seconds', 'Status', 'Recording', 'Text'],
  ...['Feedback given', 'Audio feedback'],
];

const REPLY = ', reply';

type Deps = { recordings: RecordingsService; feedback: FeedbackService; teacherTitle: string };

/** Adds a student's recordings with their replies, newest first. */
export async function addRecordings(
  { recordings, feedback, teacherTitle }: Deps,
  student: { id: string },
  { addText, copy, pagesOf, finish }: Archive,
  inTurn: InTurn,
) {
  const unique = uniqueNames(['', REPLY]);
  const table: Row[] = [COLUMNS];
  for await (const rows of pagesOf('recordings', (before) => recordings.listOf(student, before))) {
    const replies = await inTurn(() => feedback.onRecordings(rows.map(({ id }) => id)));
    for (const recording of rows) {
      const { title, attempt, createdAt } = recording;
      const reply = replies.find(({ recordingId }) => recordingId === recording.id) ?? null;
      const number = attempt === null ? '' : `, recording ${attempt}`;
      const stem = `recordings/${unique(`${day(createdAt)} ${safeName(title)}${number}`)}`;
      const sound = await copy(recording.audioUrl, 'audio', stem, createdAt);
      const text = textOf(recording, reply, teacherTitle);
      if (text) await addText(`${stem}.txt`, text, reply?.createdAt ?? createdAt);
      const spoken = reply && (await copy(reply.audioFeedbackUrl, 'audio', stem + REPLY, reply.createdAt));
      for (const { audioUrl, name } of reply ? spokenMarks(reply) : [])
        await copy(audioUrl, 'audio', stem + name, reply!.createdAt);
      table.push([
        ...[moment(createdAt), title, attempt, recording.duration, reply?.status ?? recording.status, sound],
        ...[text && `${stem}.txt`, reply && moment(reply.createdAt), spoken],
      ]);
    }
  }
  await finish('recordings.csv', table);
}
