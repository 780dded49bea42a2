import { Send } from 'lucide-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createPagedListQuery } from '#web/navigation/paged-list.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { FailedMail } from '../contract.ts';
import { MailSummary } from './mail-summary.tsx';
import { MailSection } from './mail-section.tsx';
import { SendAllEmailsButton } from './send-all-emails-button.tsx';
import { getMailActionFailureMessage, useSendMailAgain, useRemoveMail } from './use-mail-change.ts';

export const UndeliverableEmails = ({ onFewer }: { onFewer: () => void }) => (
  <MailSection<FailedMail>
    tone="danger"
    getTitle={(total) =>
      total === 1 ? '1 email wasn’t delivered' : `${total.toLocaleString('en')} emails weren’t delivered`
    }
    note="Check the address. “Send again” writes a new email, with a new password or link."
    pages={useInfiniteQuery({ ...createPagedListQuery('GET /api/admin/mail/undeliverable'), staleTime: 0 })}
    onFewer={onFewer}
    action={<SendAllEmailsButton which="undeliverable" />}
  >
    {(mail) => <UndeliverableMail mail={mail} />}
  </MailSection>
);

function UndeliverableMail({ mail }: { mail: FailedMail }) {
  const sendAgain = useSendMailAgain(mail.id);
  const giveUp = useRemoveMail(mail.id, 'Removed from the list');
  const error = sendAgain.error ?? giveUp.error;
  return (
    <>
      <MailSummary mail={mail} />
      <p className="mt-2 text-sm wrap-anywhere">{mail.reason}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          icon={<Send />}
          busy={sendAgain.isPending}
          aria-label={`Send again to ${mail.recipient}`}
          onClick={() => sendAgain.mutate()}
        >
          Send again
        </Button>
        <Button
          variant="quiet"
          busy={giveUp.isPending}
          aria-label={`Remove the email to ${mail.recipient}`}
          onClick={() => giveUp.mutate()}
        >
          Remove
        </Button>
      </div>
      {error && (
        <Notice tone="danger" className="mt-3">
          {getMailActionFailureMessage(error)}
        </Notice>
      )}
    </>
  );
}
