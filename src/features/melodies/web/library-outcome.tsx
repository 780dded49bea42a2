import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import type { Melody } from '../contract.ts';
import { SeekingNote } from './seeking-note.tsx';
import { langOf } from './tibetan.ts';

/** What became of a melody in a dialog over the library. */
export type LibraryOutcome =
  | { what: 'deleted'; melody: Melody }
  /** Approximate: of the audio that has just come, no copy could be made in which browsers seek exactly. */
  | { what: 'updated'; melody: Melody; isApproximate: boolean };

const UPDATED = 'Melody updated successfully';

/** In the card of the melody. */
export const UpdatedHere = ({ isApproximate }: { isApproximate: boolean }) => (
  <div className="mt-4 grid gap-3">
    <Notice tone="success" title={UPDATED} />
    {isApproximate && <SeekingNote />}
  </div>
);

type MissingCardProps = { outcome: LibraryOutcome; isListed?: boolean; className?: string };

/** For a card that is not in this list any more. Takes the focus that went with it. */
export function MissingCard({ outcome, isListed = false, className }: MissingCardProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The dialog is still about to close; with its button gone, it leaves focus on the content as a whole.
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
      <Notice tone="success" title={outcome.what === 'deleted' ? 'Melody deleted' : UPDATED}>
        <p className="wrap-anywhere">
          “<span {...langOf(title)}>{title}</span>” is no longer in{' '}
          {outcome.what === 'deleted' ? 'the library' : 'this list'}.
        </p>
      </Notice>
      {outcome.what === 'updated' && outcome.isApproximate && <SeekingNote />}
    </div>
  );
}

/** Where among these, newest first, a melody stood. */
export function placeAmong(melodies: readonly Melody[], { createdAt, id }: Melody): number {
  const next = melodies.findIndex(
    (other) => other.createdAt < createdAt || (other.createdAt === createdAt && other.id < id),
  );
  return next === -1 ? melodies.length : next;
}
