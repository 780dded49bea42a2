import type { TakeNote } from '../../takes/stored-recording.ts';
import { Notice } from '../../ui/notice.tsx';
import { noteSentences } from './take-notes.ts';

/** What is to be said of a take before it is sent, also of one that was found again. */
export const TakeNotices = ({ notes = [] }: { notes?: readonly TakeNote[] | undefined }) =>
  notes.map((note) => (
    <Notice key={note} tone="amber">
      {noteSentences[note]}
    </Notice>
  ));
