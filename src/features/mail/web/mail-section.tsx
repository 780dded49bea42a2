import { clsx } from 'clsx';
import { type Key, type ReactNode, useId, useState } from 'react';
import { Button } from '../../../platform/web/ui/button.tsx';

/** How many are shown before 'Show all': what is below must stay in reach. */
const SHOWN_AT_FIRST = 3;

type MailSectionProps<M> = {
  id?: string;
  tone: 'amber' | 'danger';
  title: string;
  /** A sentence or two below the title. */
  note: ReactNode;
  /** The newest of them. */
  mails: readonly M[];
  total: number;
  children: (mail: M) => ReactNode;
};

/** A lasting notice with a list of mails, long ones folded. */
export function MailSection<M extends { id: Key }>(props: MailSectionProps<M>) {
  const { tone, title, note, mails, total, children } = props;
  const headingId = useId();
  const [isUnfolded, setIsUnfolded] = useState(false);
  const shown = isUnfolded ? mails : mails.slice(0, SHOWN_AT_FIRST);
  return (
    <section
      id={props.id}
      aria-labelledby={headingId}
      className={clsx('scroll-mt-24 rounded-md border-s-4 p-4', grounds[tone])}
    >
      <h2 id={headingId} tabIndex={-1} className={clsx('text-lg', inks[tone])}>
        {title}
      </h2>
      <p className={clsx('measure mt-1 text-sm', inks[tone])}>{note}</p>
      <ul
        className={clsx('mt-3 grid items-start gap-3', shown.length > 1 && 'lg:grid-cols-2 xl:grid-cols-3')}
      >
        {shown.map((mail) => (
          <li key={mail.id} className="min-w-0 rounded-md border border-line bg-surface p-4 text-ink">
            {children(mail)}
          </li>
        ))}
      </ul>
      {mails.length > SHOWN_AT_FIRST && (
        <Button className="mt-3" aria-expanded={isUnfolded} onClick={() => setIsUnfolded(!isUnfolded)}>
          {isUnfolded ? 'Show fewer' : total > mails.length ? `Show ${mails.length}` : `Show all ${total}`}
        </Button>
      )}
      {isUnfolded && total > mails.length && (
        <p className={clsx('mt-3 text-sm', inks[tone])}>
          {(total - mails.length).toLocaleString('en')} more will be here once these are settled.
        </p>
      )}
    </section>
  );
}

const grounds = {
  amber: 'border-saffron bg-saffron-ground',
  danger: 'border-danger bg-danger-ground',
};
const inks = { amber: 'text-saffron-ink', danger: 'text-danger' };
