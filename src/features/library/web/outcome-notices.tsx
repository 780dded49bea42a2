import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { Notice } from '#web/ui/notice.tsx';
import type { MelodySummary } from '#features/melodies/contract.ts';
import { ApproximateSeekingNotice } from '#features/melodies/web/approximate-seeking-notice.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';

/** Outcome of a dialog about a melody in the library. */
export type LibraryOutcome =
  | { kind: 'deleted'; melody: MelodySummary }
  /**
   * `isApproximate` means that browsers can't seek exactly in the new audio, and no playback copy will be made.
   */
  | { kind: 'updated'; melody: MelodySummary; isApproximate: boolean };

const UPDATED = 'Melody updated successfully';

/** Success message in the melody's card or table row. */
export const MelodyUpdatedNotice = ({ isApproximate }: { isApproximate: boolean }) => (
  <div className="mt-4 grid gap-3">
    <Notice tone="success" title={UPDATED} />
    {isApproximate && <ApproximateSeekingNotice />}
  </div>
);

type RemovedCardNoticeProps = { outcome: LibraryOutcome; isListed?: boolean; className?: string };

/** Message in place of a card that is no longer in this list. Takes focus if focus was lost with the card. */
export function RemovedCardNotice({ outcome, isListed = false, className }: RemovedCardNoticeProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Waits until the dialog has closed and moved focus to the page's content, because the button that opened
    // it is gone with the card.
    const frame = requestAnimationFrame(() => {
      const holder = document.activeElement;
      if (holder === document.body || holder?.id === 'content') place.current?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [outcome]);
  const { title } = outcome.melody;
  return (
    <div
      ref={place}
      role={isListed ? 'listitem' : undefined}
      tabIndex={-1}
      className={clsx('grid scroll-mt-24 content-start gap-3', className)}
    >
      <Notice tone="success" title={outcome.kind === 'deleted' ? 'Melody deleted' : UPDATED}>
        <p className="wrap-anywhere">
          “<span {...getLangProps(title)}>{title}</span>” is no longer in{' '}
          {outcome.kind === 'deleted' ? 'the library' : 'this list'}.
        </p>
      </Notice>
      {outcome.kind === 'updated' && outcome.isApproximate && <ApproximateSeekingNotice />}
    </div>
  );
}
