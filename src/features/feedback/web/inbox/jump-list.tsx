import { clsx } from 'clsx';
import { type MouseEvent, type RefObject, useEffect, useRef } from 'react';
import { displayName } from '../../../../platform/web/session.ts';
import type { Pages } from '../../../../platform/web/pages.ts';
import { duration } from '../../../../platform/web/ui/duration.ts';
import { LoadMore } from '../../../../platform/web/ui/load-more.tsx';
import { TimeAgo } from '../../../../platform/web/ui/time-ago.tsx';
import type { Recording } from '../../../recordings/contract.ts';
import { langOf } from '../../../melodies/web/tibetan.ts';
import { goTo, headingIdOf, MORE_FAILED } from './card-anchors.ts';

type JumpListProps = {
  pages: Pages<Recording>;
  recordings: readonly Recording[];
  currentId: number | null;
};

export function JumpList({ pages, recordings, currentId }: JumpListProps) {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useCurrentInSight(box, currentId);
  return (
    <nav aria-label="Waiting recordings" className="max-lg:hidden">
      <div ref={box} className="sticky top-4 max-h-[calc(100dvh-2rem)] overflow-y-auto">
        <ul ref={list} className="grid gap-1">
          {recordings.map(({ id, title, student, createdAt, duration: seconds }) => (
            <li key={id}>
              <a
                data-item={id}
                href={`#${headingIdOf(id)}`}
                onClick={(event) => jump(event, id)}
                aria-current={id === currentId ? 'true' : undefined}
                className={clsx(
                  'grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 rounded-lg px-3.5 py-3 text-sm -outline-offset-3',
                  id === currentId ? 'bg-action-ground' : 'hover:bg-sunk',
                )}
              >
                <span
                  dir="auto"
                  className={clsx('truncate font-semibold', id === currentId && 'text-action')}
                >
                  {displayName(student)}
                </span>
                <TimeAgo time={createdAt} className="text-soft" />
                <span {...langOf(title)} className="truncate text-soft">
                  {title}
                </span>
                <span className="justify-self-end text-soft tabular-nums">{duration(seconds)}</span>
              </a>
            </li>
          ))}
        </ul>
        <LoadMore {...{ pages, list }} failure={MORE_FAILED} loadsByItself isWide className="mt-2" />
      </div>
    </nav>
  );
}

// Without navigation, which would put dozens of history entries between the teacher and the previous page.
function jump(event: MouseEvent, id: number) {
  event.preventDefault();
  goTo(id);
}

function useCurrentInSight(listBox: RefObject<HTMLElement | null>, currentId: number | null) {
  useEffect(() => {
    const box = listBox.current;
    const link = box?.querySelector<HTMLElement>('[aria-current]');
    if (!box || !link) return;
    // Not scrollIntoView, which would scroll the page too.
    const { top, bottom } = link.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    if (top < frame.top) box.scrollBy(0, top - frame.top);
    else if (bottom > frame.bottom) box.scrollBy(0, bottom - frame.bottom);
  }, [listBox, currentId]);
}
