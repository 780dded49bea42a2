import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';
import { UndeliverableMails } from './undeliverable-mails.tsx';
import { WaitingMails } from './waiting-mails.tsx';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import type { TroubledMail } from '../contract.ts';

const NONE = { undeliverable: 0, delayed: 0, outbox: 0 };

/** Mail that needs the teacher: nothing at all if there is none. */
export function MailNotice() {
  // It changes on the server whenever a mail server answers: refetched on each visit.
  const mail = useQuery({ ...apiQuery('GET /api/admin/mail'), staleTime: 0 });
  const { hasServer = true, outbox = [], troubled = [], totals = NONE } = mail.data ?? {};
  const undeliverable = troubled.filter(({ status }) => status === 'undeliverable');
  const delayed = troubled.filter(({ status }) => status === 'delayed');
  const notice = useFocusKept(totals.outbox + totals.undeliverable);

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
      {outbox.length > 0 && <WaitingMails mails={outbox} total={totals.outbox} hasServer={hasServer} />}
      {undeliverable.length > 0 && <UndeliverableMails mails={undeliverable} total={totals.undeliverable} />}
      {totals.delayed > 0 && <DelayedMails newest={delayed[0]} total={totals.delayed} />}
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

/** Nothing to do about these, so no more than a line. */
function DelayedMails({ newest, total }: { newest: TroubledMail | undefined; total: number }) {
  const what =
    newest && total === 1
      ? `The mail to ${newest.recipient} is`
      : `${total.toLocaleString('en')} ${total === 1 ? 'mail is' : 'mails are'}`;
  return (
    <Notice isQuiet className="wrap-anywhere">
      {what} delayed{newest ? `: ${ended(newest.reason)}` : '.'} It is tried again by itself for a day.
    </Notice>
  );
}

/** What a server says need not end like a sentence. */
const ended = (reason: string) => (/[.!?…]$/.test(reason) ? reason : `${reason}.`);
