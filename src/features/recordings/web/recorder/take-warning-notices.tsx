import type { TakeWarning } from '#web/audio/stored-recording.ts';
import { Notice } from '#web/ui/notice.tsx';
import { takeWarningMessages } from './take-warnings.ts';

/**
 * Shows the warnings about a take before it is sent, including a take that is offered again after a reload.
 */
export const TakeWarningNotices = ({ notes = [] }: { notes?: readonly TakeWarning[] | undefined }) =>
  notes.map((note) => (
    <Notice key={note} tone="amber">
      {takeWarningMessages[note]}
    </Notice>
  ));
