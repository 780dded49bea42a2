import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { usePagedList } from '#web/navigation/paged-list.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { MailSummary } from './mail-summary.tsx';
import { UndeliverableEmails } from './undeliverable-emails.tsx';
import { WaitingEmails } from './waiting-emails.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { FailedMail } from '../contract.ts';

/** Shows emails that need the teacher's attention. Hidden if there are none. */
export function MailNotice() {
  // Refetched on each visit, because emails are delivered or fail at any time.
  const mail = useQuery({ ...createApiQuery('GET /api/admin/mail'), staleTime: 0 });
  const notice = useRef<HTMLDivElement>(null);
  const keepFocus = useCallback(() => {
    if (document.activeElement !== document.body) return;
    const heading = notice.current?.querySelector('h2') ?? document.querySelector('h1');
    heading?.focus({ preventScroll: true });
  }, []);

  if (mail.isError && !mail.data) {
    return (
      <div className="mb-6">
        <LoadFailure sentence="Undelivered emails couldn’t be loaded." of={mail} />
      </div>
    );
  }
  const {
    hasServer = true,
    outbox = 0,
    undeliverable = 0,
    delayed = 0,
    newestDelayed = null,
  } = mail.data ?? {};
  return (
    <div ref={notice} className="grid gap-4 not-empty:mb-6">
      {outbox > 0 && <WaitingEmails hasServer={hasServer} onFewer={keepFocus} />}
      {undeliverable > 0 && <UndeliverableEmails onFewer={keepFocus} />}
      {delayed > 0 && <DelayedMails newest={newestDelayed} total={delayed} />}
    </div>
  );
}

/** Shows delayed emails in one line, because they need no action. The list opens on demand. */
function DelayedMails({ newest, total }: { newest: FailedMail | null; total: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const what =
    newest && total === 1
      ? `The email to ${newest.name} (${newest.recipient}) is`
      : `${total.toLocaleString('en')} ${total === 1 ? 'email is' : 'emails are'}`;
  return (
    <Notice isQuiet className="wrap-anywhere">
      {what} delayed{newest ? `: ${withFullStop(newest.reason)}` : '.'} We’ll keep trying for a day.
      {total > 1 && (
        <>
          {' '}
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
            className="link min-h-11 px-2 font-semibold"
          >
            {isOpen ? 'Hide' : 'Show'}
          </button>
        </>
      )}
      {isOpen && <DelayedList />}
    </Notice>
  );
}

function DelayedList() {
  const pages = usePagedList('GET /api/admin/mail/delayed');
  return (
    <InfiniteList
      pages={pages}
      failure="These emails couldn’t be loaded."
      skeleton={<SkeletonList count={1} itemClassName="h-12" />}
      empty={null}
      as="ul"
      className="mt-1 mb-2 divide-y divide-line rounded-md border border-line bg-surface px-4 text-ink"
      item={(mail) => (
        <li key={mail.id} className="py-2">
          <MailSummary mail={mail} />
          <p>{withFullStop(mail.reason)}</p>
        </li>
      )}
    />
  );
}

/** Adds a full stop, because a server's message may lack one. */
const withFullStop = (reason: string) => (/[.!?…]$/.test(reason) ? reason : `${reason}.`);
