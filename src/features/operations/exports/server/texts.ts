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
  const head = [title, `Sent ${moment(createdAt)}`, attempt && `Attempt ${attempt}`].filter(Boolean);
  return [
    head.join('\n'),
    message && `MESSAGE\n\n${message}`,
    feedback && reply && `REPLY BY ${teacher}\n${given(feedback)}\n\n${reply}`,
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
  return [written, listed && `At these moments of the recording:\n${listed}`].filter(Boolean).join('\n\n');
}

export const studentReadme = (app: string, name: string, at: Date) => `${app}: everything of ${name}
As of ${moment(at)}

recordings/      Each recording as a sound file, named by the day it was sent and its title.
                 With the same name: its message and the written reply as a text (.txt),
                 the spoken reply (", reply"), and in a folder (", marks") what the teacher
                 says at single moments.
recordings.csv   The list of them, for a spreadsheet.
agreements.csv   Passages that the student was asked to share, and what was answered, if any.
practice.csv     The practice log, if there is one; only when the student downloads this.
missing.txt      Only there if a file could not be included: which one, and why.

The melodies themselves are not included. Times are UTC.
`;

export const libraryReadme = (app: string, at: Date) => `${app}: the library
As of ${moment(at)}

melodies/      For each melody, under its title: the audio as it was uploaded, the picture,
               the text (.txt), and the text with its times (.lrc) if it has any.
melodies.csv   The list of them with their levels, for a spreadsheet.
missing.txt    Only there if a file could not be included: which one, and why.

Times are UTC.
`;
