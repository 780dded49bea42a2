import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';
import { DelayedMails } from './delayed-mails.tsx';
import { UndeliverableMails } from './undeliverable-mails.tsx';
import { WaitingMails } from './waiting-mails.tsx';

/** Mail that needs the teacher: nothing at all if there is none. */
export function MailNotice() {
  // It changes on the server whenever a mail server answers: refetched on each visit.
  const mail = useQuery({ ...apiQuery('GET /api/admin/mail'), staleTime: 0 });
  const { hasServer = true, outbox = [], troubled = [] } = mail.data ?? {};
  const undeliverable = troubled.filter(({ status }) => status === 'undeliverable');
  const delayed = troubled.filter(({ status }) => status === 'delayed');
  const notice = useFocusKept(outbox.length + undeliverable.length);

  if (mail.isError && !mail.data) {
    return (
      <div className="mb-6">
        <LoadFailure
          sentence="Mail on its way could not be looked at."
          error={mail.error}
          isTrying={mail.isFetching}
          onTryAgain={() => void mail.refetch()}
        />
      </div>
    );
  }
  return (
    <div ref={notice} className="grid gap-4 not-empty:mb-6">
      {outbox.length > 0 && <WaitingMails mails={outbox} hasServer={hasServer} />}
      {undeliverable.length > 0 && <UndeliverableMails mails={undeliverable} />}
      {delayed.length > 0 && <DelayedMails mails={delayed} />}
    </div>
  );
}

/** The focused button disappeared with its mail: focus the next heading, so that the keyboard is not sent to the top. */
function useFocusKept(count: number) {
  const notice = useRef<HTMLDivElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const isFewer = count < before.current;
    before.current = count;
    if (!isFewer || document.activeElement !== document.body) return;
    const heading = notice.current?.querySelector('h2') ?? document.querySelector('h1');
    heading?.focus({ preventScroll: true });
  }, [count]);
  return notice;
}
