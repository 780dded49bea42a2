import type { TakeWarning } from '#web/audio/stored-recording.ts';
import { Notice } from '#web/ui/notice.tsx';
import { takeWarningMessages } from './take-warnings.ts';

/** Warnings about a take before it is sent, also for an unsent take that is offered again. */
export const TakeWarningNotices = ({ notes = [] }: { notes?: readonly TakeWarning[] | undefined }) =>
  notes.map((note) => (
    <Notice key={note} tone="amber">
      {takeWarningMessages[note]}
    </Notice>
  ));
