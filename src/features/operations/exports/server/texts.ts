import type { Feedback } from '#features/feedback/contract.ts';
import { listOf, placeOf } from '#features/feedback/marks.ts';
import type { RecordingsService } from '#features/recordings/server/service.ts';

export type ExportedRecording = Awaited<ReturnType<RecordingsService['listOf']>>['rows'][number];
export type ExportedFeedback = Pick<Feedback, 'writtenFeedback' | 'marks' | 'status'> & {
  createdAt: Date;
  correctedAt: Date | null;
};

/** Returns the spoken marks of a recording, with the ends of their file names: ', marks/2 at 0-42'. */
export const spokenMarks = ({ marks, voices }: Pick<Feedback, 'marks' | 'voices'>) =>
  marks.flatMap((mark, index) => {
    const said = voices.find(({ id }) => id === mark.voice);
    if (!said) return [];
    const { audioUrl } = said;
    return [{ audioUrl, name: `, marks/${index + 1} at ${placeOf(mark).replaceAll(':', '-')}` }];
  });

/** Formats a time like '2026-11-20 06:30 UTC'. */
export const moment = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const day = (date: Date) => date.toISOString().slice(0, 10);

/** Returns what the student and the teacher wrote about a recording, or null if neither did. */
export function textOf(
  { title, message, createdAt, attempt }: ExportedRecording,
  feedback: ExportedFeedback | null,
  teacher: string,
): string | null {
  const reply = feedback && replyOf(feedback);
  if (!message && !reply) return null;
  const head = [title, `Sent ${moment(createdAt)}`, attempt && `Recording ${attempt} of this melody`].filter(
    Boolean,
  );
  return [
    head.join('\n'),
    message && `MESSAGE\n\n${message}`,
    feedback && reply && `FEEDBACK FROM ${teacher}\n${given(feedback)}\n\n${reply}`,
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

const given = ({ createdAt, correctedAt }: ExportedFeedback) =>
  `Given ${moment(createdAt)}${correctedAt ? `, corrected ${moment(correctedAt)}` : ''}`;

/** Leaves out written feedback that was generated from the marks, because it only repeats them. */
function replyOf({ writtenFeedback, marks }: ExportedFeedback): string {
  const listed = listOf(marks);
  const written = writtenFeedback === listed ? null : writtenFeedback;
  return [written, listed && `Comments on the recording:\n${listed}`].filter(Boolean).join('\n\n');
}

export const studentReadme = (app: string, name: string, at: Date) => `${app}: all data of ${name}
As of ${moment(at)}

recordings/      Each recording as an audio file, named by the day it was sent and its title.
                 Next to it, with the same name: the message and the written feedback as
                 text (.txt), the audio feedback (", reply"), and in a folder (", marks")
                 the teacher's spoken comments.
recordings.csv   A list of the recordings, for a spreadsheet.
agreements.csv   Passages the student was asked to share, and the student's answers.
practice.csv     The practice log, if there is one. Only the student's own download has it.
missing.txt      Lists files that couldn't be included, and why. Only there if there are any.

The melodies themselves are not included. Times are UTC.
`;

export const libraryReadme = (app: string, at: Date) => `${app}: the library
As of ${moment(at)}

melodies/      For each melody, under its title: the audio as it was uploaded, the picture,
               the words (.txt), and the words with line timing (.lrc) if there is any.
melodies.csv   A list of the melodies with their levels, for a spreadsheet.
missing.txt    Lists files that couldn't be included, and why. Only there if there are any.

Times are UTC.
`;
