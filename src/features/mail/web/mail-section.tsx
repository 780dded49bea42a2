import { clsx } from 'clsx';
import { type Key, type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Pages, rowsOf, totalOf } from '../../../platform/web/pages.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';
import { LoadMore } from '../../../platform/web/ui/load-more.tsx';

/** How many are shown before 'Show all': what is below must stay in reach. */
const SHOWN_AT_FIRST = 3;

type MailSectionProps<M> = {
  id?: string;
  tone: 'amber' | 'danger';
  /** @param total how many mails there are */
  titleOf: (total: number) => string;
  /** A sentence or two below the title. */
  note: ReactNode;
  pages: Pages<M>;
  /** Called when a mail has gone, and maybe the focus with it. */
  onFewer: () => void;
  children: (mail: M, total: number) => ReactNode;
};

/** A lasting notice with a list of mails, long ones folded. */
export function MailSection<M extends { id: Key }>(props: MailSectionProps<M>) {
  const { tone, titleOf, note, pages, onFewer, children } = props;
  const headingId = useId();
  const list = useRef<HTMLUListElement>(null);
  const [isUnfolded, setIsUnfolded] = useState(false);
  const mails = rowsOf(pages.data);
  useFewer(mails.length, onFewer);
  if (pages.isError && !pages.data)
    return (
      <LoadFailure
        sentence={FAILED}
        error={pages.error}
        isTrying={pages.isFetching}
        onTryAgain={() => void pages.refetch()}
      />
    );
  if (!pages.data || mails.length === 0) return null;
  const toggle = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    flushSync(() => setIsUnfolded(!isUnfolded));
    // Hundreds of cards above it are gone: what is in sight now is far below.
    if (isUnfolded) currentTarget.scrollIntoView({ block: 'center' });
  };
  const total = totalOf(pages.data);
  const shown = isUnfolded ? mails : mails.slice(0, SHOWN_AT_FIRST);
  return (
    <section
      id={props.id}
      aria-labelledby={headingId}
      className={clsx('scroll-mt-24 rounded-md border-s-4 p-4', grounds[tone])}
    >
      <h2 id={headingId} tabIndex={-1} className={clsx('text-lg', inks[tone])}>
        {titleOf(total)}
      </h2>
      <p className={clsx('measure mt-1 text-sm', inks[tone])}>{note}</p>
      <ul
        ref={list}
        className={clsx('mt-3 grid items-start gap-3', shown.length > 1 && 'lg:grid-cols-2 xl:grid-cols-3')}
      >
        {shown.map((mail) => (
          <li key={mail.id} className="min-w-0 rounded-md border border-line bg-surface p-4 text-ink">
            {children(mail, total)}
          </li>
        ))}
      </ul>
      {mails.length > SHOWN_AT_FIRST && (
        <Button className="mt-3" aria-expanded={isUnfolded} onClick={toggle}>
          {isUnfolded ? 'Show fewer' : total > mails.length ? `Show ${mails.length}` : `Show all ${total}`}
        </Button>
      )}
      {isUnfolded && <LoadMore {...{ pages, list }} failure={FAILED} className="ms-3 mt-3" />}
    </section>
  );
}

const FAILED = 'These mails could not be loaded.';

function useFewer(count: number, onFewer: () => void) {
  const before = useRef(count);
  useEffect(() => {
    const isFewer = count < before.current;
    before.current = count;
    if (isFewer) onFewer();
  }, [count, onFewer]);
}

const grounds = {
  amber: 'border-saffron bg-saffron-ground',
  danger: 'border-danger bg-danger-ground',
};
const inks = { amber: 'text-saffron-ink', danger: 'text-danger' };
