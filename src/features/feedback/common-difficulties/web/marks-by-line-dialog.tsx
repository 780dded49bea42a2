import { useQuery } from '@tanstack/react-query';
import { createApiQuery } from '#web/api/query-client.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import type { ListedMelody } from '#features/melodies/contract.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { MAX_MARK_AGE_MONTHS } from '../limits.ts';
import { MarkedLines } from './marked-lines.tsx';

/** Lists the lines of a melody with their number of marks, and links to the feedback. */
export function MarksByLineDialog({ melody, onClose }: { melody: ListedMelody; onClose: () => void }) {
  // Refetched each time the dialog opens, to include new feedback.
  const marks = useQuery({
    ...createApiQuery('GET /api/admin/melodies/{id}/marks-by-line', { params: { id: melody.id } }),
    staleTime: 0,
  });
  return (
    <Dialog
      isOpen
      size="wide"
      onOpenChange={onClose}
      title="Common difficulties"
      description={<span {...getLangProps(melody.title)}>{melody.title}</span>}
    >
      <p className="measure mb-4 text-sm text-soft">
        Comments in feedback from the last {MAX_MARK_AGE_MONTHS} months, line by line. Only teachers see this.
      </p>
      {marks.data ? (
        <MarkedLines melodyId={melody.id} {...marks.data} />
      ) : marks.isError ? (
        <LoadFailure sentence="The comments could not be loaded." of={marks} />
      ) : (
        <SkeletonList label="Loading the comments..." className="gap-3" itemClassName="h-16" />
      )}
    </Dialog>
  );
}
