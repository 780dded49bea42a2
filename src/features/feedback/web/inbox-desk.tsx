import { type RefObject, useEffect, useRef } from 'react';
import { EmptyState } from '../../../platform/web/ui/empty-state.tsx';
import { ButtonLink } from '../../../platform/web/ui/button.tsx';
import type { Recording } from '../../recordings/contract.ts';
import { JumpList } from './jump-list.tsx';
import { ReplyCard } from './reply-card.tsx';
import { cardOf, headingIdOf } from './reply-place.ts';
import { useCurrentCard } from './use-current-card.ts';

/** Every pending recording with its own form; on wide screens a list beside them to jump by. */
export function InboxDesk({ recordings }: { recordings: readonly Recording[] }) {
  const desk = useRef<HTMLDivElement>(null);
  const ids = recordings.map(({ id }) => id);
  const currentId = useCurrentCard(ids);
  useFocusOnTheNext(ids, desk);
  return (
    <div ref={desk} tabIndex={-1}>
      {recordings.length === 0 ? (
        <EmptyState
          title="All Caught Up"
          action={<ButtonLink href="/past-feedback">Past Feedback</ButtonLink>}
        >
          When a student submits a recording, it will wait here for your answer.
        </EmptyState>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[18rem_minmax(0,1fr)]">
          <JumpList recordings={recordings} currentId={currentId} />
          <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
            {recordings.map((recording) => (
              <ReplyCard key={recording.id} recording={recording} />
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

/**
 * When the card one works in leaves, focus goes to the one that takes its place. Who has gone on to another
 * card while a reply was on its way stays there.
 */
function useFocusOnTheNext(ids: readonly number[], desk: RefObject<HTMLElement | null>) {
  const before = useRef(ids);
  const workedIn = useRef<number | null>(null);

  useEffect(() => {
    const note = () => {
      const card = document.activeElement?.closest<HTMLElement>('[data-recording]');
      // A control that is removed leaves focus on the body; then the last card counts.
      if (document.activeElement !== document.body)
        workedIn.current = card ? Number(card.dataset.recording) : null;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);

  useEffect(() => {
    const left = before.current;
    before.current = ids;
    const at = left.findIndex((id) => id === workedIn.current);
    if (at === -1 || ids.includes(left[at]!)) return;
    const next = left.slice(at + 1).find((id) => ids.includes(id)) ?? ids.at(-1);
    const heading = next === undefined ? null : document.getElementById(headingIdOf(next));
    if (heading) {
      heading.focus({ preventScroll: true });
      cardOf(next!)?.scrollIntoView({ block: 'start' });
    } else desk.current?.focus();
  });
}
