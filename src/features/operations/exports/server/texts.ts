import type { Feedback } from '#features/feedback/contract.ts';
import { formatMarks, formatMarkTime } from '#features/feedback/marks.ts';
import type { RecordingsService } from '#features/recordings/server/service.ts';

export type ExportedRecording = Awaited<ReturnType<RecordingsService['listOf']>>['rows'][number];
export type ExportedFeedback = Pick<Feedback, 'writtenFeedback' | 'marks' | 'status'> & {
  createdAt: Date;
  correctedAt: Date | null;
};

/** Returns the audio of each voice comment, with a suffix for its file name: ', comments/2 at 0-42'. */
export const listMarkVoiceFiles = ({ marks, voices }: Pick<Feedback, 'marks' | 'voices'>) =>
  marks.flatMap((mark, index) => {
    const voice = voices.find(({ id }) => id === mark.voice);
    if (!voice) return [];
    const { audioUrl } = voice;
    return [{ audioUrl, name: `, comments/${index + 1} at ${formatMarkTime(mark).replaceAll(':', '-')}` }];
  });

/** Formats a time like '2026-11-20 06:30 UTC'. */
export const formatUtcDateTime = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const formatUtcDate = (date: Date) => date.toISOString().slice(0, 10);

/** Returns what the student and the teacher wrote about a recording, or null if neither did. */
export function composeRecordingText(
  { title, message, createdAt, attempt }: ExportedRecording,
  feedback: ExportedFeedback | null,
  teacher: string,
): string | null {
  const reply = feedback && composeReply(feedback);
  if (!message && !reply) return null;
  const head = [
    title,
    `Sent ${formatUtcDateTime(createdAt)}`,
    attempt && `Recording ${attempt} of this melody`,
  ].filter(Boolean);
  return [
    head.join('\n'),
    message && `MESSAGE\n\n${message}`,
    feedback && reply && `FEEDBACK FROM ${teacher}\n${describeGiven(feedback)}\n\n${reply}`,
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

const describeGiven = ({ createdAt, correctedAt }: ExportedFeedback) =>
  `Given ${formatUtcDateTime(createdAt)}${correctedAt ? `, corrected ${formatUtcDateTime(correctedAt)}` : ''}`;

/**
 * Returns the written feedback and the marks as one text. Leaves out written feedback that was generated from
 * the marks, because it only repeats them.
 */
function composeReply({ writtenFeedback, marks }: ExportedFeedback): string {
  const listed = formatMarks(marks);
  const written = writtenFeedback === listed ? null : writtenFeedback;
  return [written, listed && `Comments on the recording:\n${listed}`].filter(Boolean).join('\n\n');
}

export const composeStudentReadme = (app: string, name: string, at: Date) => `${app}: ${name}'s data
Downloaded ${formatUtcDateTime(at)}

recordings/      The recordings. Each file is named after the day and the title of the recording.
                 Other files about a recording start with its name and end with:
                   .txt              the student's message and the written feedback
                   , audio feedback  the audio feedback
                   , comments        a folder with the voice comments
recordings.csv   A list of the recordings. Any spreadsheet program opens it.
agreements.csv   Passages that the student was asked to share, and the answers.
practice.csv     The practice log. It's only in the student's own download.
missing.txt      Files that couldn't be included, and why.

agreements.csv, practice.csv and missing.txt are only here if there is something in them.
Melodies aren't included. All times are UTC.
`;

export const composeLibraryReadme = (app: string, at: Date) => `${app}: the library
Downloaded ${formatUtcDateTime(at)}

melodies/      The files of each melody, named after its title: the audio as it was uploaded,
               the picture, the words (.txt), and the words with line times (.lrc).
melodies.csv   A list of the melodies and their levels. Any spreadsheet program opens it.
missing.txt    Files that couldn't be included, and why. It's only here if there are any.

All times are UTC.
`;
