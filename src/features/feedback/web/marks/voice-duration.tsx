import { Mic } from 'lucide-react';
import { formatDuration } from '#web/ui/format-duration.ts';

/** Shows the duration of a mark's voice comment, with an icon. Visual only. */
export const VoiceDuration = ({ seconds }: { seconds: number }) => (
  <span aria-hidden="true" className="inline-flex shrink-0 items-center gap-1 text-sm text-soft tabular-nums">
    <Mic className="size-3.5 self-center" />
    {formatDuration(seconds)}
  </span>
);
