import { clsx } from 'clsx';
import { ListMusic } from 'lucide-react';
import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Pages } from '#web/navigation/pages.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import type { PendingRecording } from '#features/recordings/contract.ts';
import { headingIdOf, MORE_FAILED } from './inbox-focus.ts';
import { RowOfRecording } from './row-of-recording.tsx';

type JumpListProps = {
  pages: Pages<PendingRecording>;
  recordings: readonly PendingRecording[];
  openId: number | null;
  onOpen: (id: number) => void;
};

/** List beside the cards on wide screens. */
export function JumpList(props: JumpListProps) {
  const box = useRef<HTMLDivElement>(null);
  useOpenInSight(box, props.openId);
  return (
    <nav aria-label="Waiting recordings" className="max-lg:hidden">
      <div ref={box} className="sticky top-4 max-h-[calc(100dvh-2rem)] overflow-y-auto">
        <List {...props} />
      </div>
    </nav>
  );
}

/** Button that opens the list in a dialog, on narrow screens. */
export function JumpButton({ onOpen, ...props }: JumpListProps) {
  const [isShown, setIsShown] = useState(false);
  const asked = useRef<number | null>(null);
  // Opens the card after the dialog has closed and restored focus.
  useEffect(() => {
    if (isShown || asked.current === null) return;
    const id = asked.current;
    asked.current = null;
    const timer = setTimeout(() => onOpen(id));
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
          onOpen={(id) => {
            asked.current = id;
            setIsShown(false);
          }}
        />
      </Dialog>
    </div>
  );
}

function List({ pages, recordings, openId, onOpen }: JumpListProps) {
  const list = useRef<HTMLUListElement>(null);
  // Without navigation, which would put dozens of history entries between the teacher and the previous page.
  const open = (event: MouseEvent, id: number) => {
    event.preventDefault();
    onOpen(id);
  };
  return (
    <>
      <ul ref={list} className="grid gap-1">
        {recordings.map((recording) => (
          <li key={recording.id}>
            <a
              data-item={recording.id}
              href={`#${headingIdOf(recording.id)}`}
              onClick={(event) => open(event, recording.id)}
              aria-current={recording.id === openId ? 'true' : undefined}
              className={clsx(
                'block rounded-lg px-3.5 py-3 -outline-offset-3',
                recording.id === openId ? 'bg-action-ground' : 'hover:bg-sunk',
              )}
            >
              <RowOfRecording recording={recording} isOpen={recording.id === openId} />
            </a>
          </li>
        ))}
      </ul>
      <LoadMore {...{ pages, list }} failure={MORE_FAILED} loadsByItself isWide className="mt-2" />
    </>
  );
}

function useOpenInSight(listBox: RefObject<HTMLElement | null>, openId: number | null) {
  useEffect(() => {
    const box = listBox.current;
    const link = box?.querySelector<HTMLElement>('[aria-current]');
    if (!box || !link) return;
    // Not scrollIntoView, which would scroll the page too.
    const { top, bottom } = link.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    if (top < frame.top) box.scrollBy(0, top - frame.top);
    else if (bottom > frame.bottom) box.scrollBy(0, bottom - frame.bottom);
  }, [listBox, openId]);
}
