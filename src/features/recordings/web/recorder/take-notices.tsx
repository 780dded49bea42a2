import type { TakeNote } from '#web/audio/stored-recording.ts';
import { Notice } from '#web/ui/notice.tsx';
import { takeNoteMessages } from './take-notes.ts';

/** Warnings about a take before it is sent, also for an unsent take that is offered again. */
export const TakeNotices = ({ notes = [] }: { notes?: readonly TakeNote[] | undefined }) =>
  notes.map((note) => (
    <Notice key={note} tone="amber">
      {takeNoteMessages[note]}
    </Notice>
  ));
