import { clsx } from 'clsx';
import { ListMusic, Play } from 'lucide-react';
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { formatDisplayName } from '#web/api/session.ts';
import type { PagedListResult } from '#web/navigation/paged-list.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { LoadMoreButton } from '#web/ui/load-more-button.tsx';
import type { PendingRecording } from '#features/recordings/contract.ts';
import { getCardHeadingId, LOAD_MORE_FAILED_MESSAGE } from './inbox-focus.ts';
import type { InboxCommand } from './keys/shortcuts.ts';
import { InboxRow } from './inbox-row.tsx';

type PendingRecordingListProps = {
  pages: PagedListResult<PendingRecording>;
  recordings: readonly PendingRecording[];
  openId: number | null;
  onOpen: (id: number, ...commands: InboxCommand[]) => void;
  /** Returns the heading of the group that begins with the recording at this index, if any. */
  groupOf: (index: number) => ReactNode;
  /** Returns a summary of the unsent reply to this recording; empty if there is none. */
  getBegunText: (id: number) => string;
};

/** Id of the button that loads more recordings into the list beside the cards. */
export const LOAD_MORE_IN_LIST_ID = 'more-in-list';

/** List of recordings beside the cards, on wide screens. */
export function PendingRecordingList(props: PendingRecordingListProps) {
  const box = useRef<HTMLDivElement>(null);
  useScrollToOpenItem(box, props.openId);
  return (
    <nav aria-label="Waiting recordings" className="min-h-0 max-lg:hidden">
      <div
        ref={box}
        className="relative max-h-full overflow-y-auto pb-24 max-desk:sticky max-desk:top-4 max-desk:max-h-[calc(100dvh-2rem)]"
      >
        <List {...props} moreId={LOAD_MORE_IN_LIST_ID} />
      </div>
    </nav>
  );
}

/** Button that opens the list in a dialog, on narrow screens. */
export function PendingRecordingListButton({ onOpen, ...props }: PendingRecordingListProps) {
  const [isShown, setIsShown] = useState(false);
  const requested = useRef<[id: number, ...commands: InboxCommand[]] | null>(null);
  // Opens the card after the dialog has closed and restored focus.
  useEffect(() => {
    if (isShown || requested.current === null) return;
    const opened = requested.current;
    requested.current = null;
    const timer = setTimeout(() => onOpen(...opened));
    return () => clearTimeout(timer);
  }, [isShown, onOpen]);
  return (
    <div className="lg:hidden">
      <IconButton
        label="Waiting recordings"
        icon={<ListMusic aria-hidden="true" />}
        variant="secondary"
        aria-haspopup="dialog"
        onClick={() => setIsShown(true)}
      />
      <Dialog isOpen={isShown} onOpenChange={setIsShown} title="Waiting recordings">
        <List
          {...props}
          onOpen={(...opened) => {
            requested.current = opened;
            setIsShown(false);
          }}
        />
      </Dialog>
    </div>
  );
}

function List({
  pages,
  recordings,
  openId,
  onOpen,
  groupOf,
  getBegunText,
  moreId,
}: PendingRecordingListProps & { moreId?: string }) {
  const list = useRef<HTMLUListElement>(null);
  // Prevents navigation, which would put dozens of history entries between this page and the previous one.
  const open = (event: MouseEvent, id: number) => {
    event.preventDefault();
    onOpen(id);
  };
  return (
    <>
      <ul ref={list} className="grid grid-cols-[minmax(0,1fr)] gap-1">
        {recordings.map((recording, index) => (
          <li key={recording.id} data-row={recording.id}>
            {groupOf(index) && (
              <p dir="auto" className="px-3.5 pt-3 pb-1 text-sm font-semibold break-words text-soft">
                {groupOf(index)}
              </p>
            )}
            <a
              data-item={recording.id}
              href={`#${getCardHeadingId(recording.id)}`}
              onClick={(event) => open(event, recording.id)}
              aria-current={recording.id === openId ? 'true' : undefined}
              className={clsx(
                'block rounded-lg px-3.5 pt-2 -outline-offset-3',
                recording.id === openId ? 'bg-action-ground pb-2' : 'hover:bg-sunk',
              )}
            >
              <InboxRow recording={recording} isOpen={recording.id === openId} hasMessage />
            </a>
            {recording.id !== openId && (
              <span className="flex items-center ps-1 pe-3.5">
                <IconButton
                  label={`Play ${recording.title}, ${formatDisplayName(recording.student)}`}
                  icon={<Play className="text-action" />}
                  variant="quiet"
                  className="min-h-11 min-w-11"
                  onClick={() => onOpen(recording.id, 'play')}
                />
                <button
                  type="button"
                  onClick={() => onOpen(recording.id, 'write')}
                  className="flex min-h-11 min-w-0 grow flex-col items-start justify-center rounded-md px-2 text-start text-sm hover:bg-sunk"
                >
                  <span className="font-semibold">Written feedback</span>
                  <span dir="auto" className="max-w-full truncate text-soft">
                    {getBegunText(recording.id)}
                  </span>
                </button>
                {recording.status === 'pending' && <Badge tone="new">New</Badge>}
              </span>
            )}
          </li>
        ))}
      </ul>
      <LoadMoreButton
        {...{ pages, list }}
        {...(moreId && { id: moreId })}
        failure={LOAD_MORE_FAILED_MESSAGE}
        loadsByItself
        isWide
        className="mt-2"
      />
    </>
  );
}

function useScrollToOpenItem(listBox: RefObject<HTMLElement | null>, openId: number | null) {
  useEffect(() => {
    const box = listBox.current;
    const link = box?.querySelector<HTMLElement>('[aria-current]');
    if (!box || !link) return;
    // Scrolls only this box. scrollIntoView would also scroll the page.
    const { top, bottom } = link.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    if (top < frame.top) box.scrollBy(0, top - frame.top);
    else if (bottom > frame.bottom) box.scrollBy(0, bottom - frame.bottom);
  }, [listBox, openId]);
}
