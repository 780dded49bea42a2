import { clsx } from 'clsx';
import { type Key, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { type PagedListResult, getLoadedRows, getTotalCount } from '#web/navigation/paged-list.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { LoadMoreButton } from '#web/ui/load-more-button.tsx';

type MailSectionProps<M> = {
  id?: string;
  tone: 'amber' | 'danger';
  /** @param total number of emails */
  getTitle: (total: number) => string;
  /** A sentence or two below the title. */
  note: ReactNode;
  pages: PagedListResult<M>;
  /** Called after an email has disappeared from the list, possibly while it had focus. */
  onFewer: () => void;
  /** Shown next to the title. */
  action?: ReactNode;
  children: (mail: M) => ReactNode;
};

/** Section with one line about emails. The list opens on demand. */
export function MailSection<M extends { id: Key }>(props: MailSectionProps<M>) {
  const { tone, getTitle, note, pages, onFewer, action, children } = props;
  const headingId = useId();
  const list = useRef<HTMLUListElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const mails = getLoadedRows(pages.data);
  useOnFewer(mails.length, onFewer);
  if (pages.isError && !pages.data) return <LoadFailure sentence={LOAD_FAILED} of={pages} />;
  if (!pages.data || mails.length === 0) return null;
  return (
    <section
      id={props.id}
      aria-labelledby={headingId}
      className={clsx('scroll-mt-24 rounded-md border-s-4 px-4 py-2', toneBackgrounds[tone])}
    >
      <div className="flex flex-wrap items-center gap-x-4">
        <h2
          id={headingId}
          tabIndex={-1}
          className={clsx('py-2 font-sans text-base font-semibold', toneColors[tone])}
        >
          {getTitle(getTotalCount(pages.data))}
        </h2>
        <div className="-ms-4 flex flex-wrap items-center">
          <Button
            variant="quiet"
            aria-expanded={isOpen}
            aria-describedby={headingId}
            onClick={() => setIsOpen(!isOpen)}
            className="text-lapis!"
          >
            {isOpen ? 'Hide' : 'Show'}
          </Button>
          {action}
        </div>
      </div>
      {isOpen && (
        <>
          <p className={clsx('measure text-sm', toneColors[tone])}>{note}</p>
          <ul
            ref={list}
            className="my-3 divide-y divide-line rounded-md border border-line bg-surface text-ink"
          >
            {mails.map((mail) => (
              <li key={mail.id} className="px-4 py-3">
                {children(mail)}
              </li>
            ))}
          </ul>
          <LoadMoreButton {...{ pages, list }} failure={LOAD_FAILED} className="mb-3" />
        </>
      )}
    </section>
  );
}

const LOAD_FAILED = 'These emails couldn’t be loaded.';

function useOnFewer(count: number, onFewer: () => void) {
  const before = useRef(count);
  useEffect(() => {
    const isFewer = count < before.current;
    before.current = count;
    if (isFewer) onFewer();
  }, [count, onFewer]);
}

const toneBackgrounds = {
  amber: 'border-saffron bg-saffron-ground',
  danger: 'border-danger bg-danger-ground',
};
const toneColors = { amber: 'text-saffron-ink', danger: 'text-danger' };
