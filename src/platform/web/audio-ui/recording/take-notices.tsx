import type { TakeNote } from '../../takes/stored-recording.ts';
import { Notice } from '../../ui/notice.tsx';
import { noteSentences } from './take-notes.ts';

/** Warnings about a take before it is sent, including one that was found again. */
export const TakeNotices = ({ notes = [] }: { notes?: readonly TakeNote[] | undefined }) =>
  notes.map((note) => (
    <Notice key={note} tone="amber">
      {noteSentences[note]}
    </Notice>
  ));
