import { useInfiniteQuery } from '@tanstack/react-query';
import { createPagedListQuery } from '#web/navigation/paged-list.ts';
import type { OutboxMail } from '../contract.ts';
import { MailSection } from './mail-section.tsx';
import { PassOnAllEmailsButton } from './pass-on-all-emails-button.tsx';
import { SendAllEmailsButton } from './send-all-emails-button.tsx';
import { WaitingMailItem } from './waiting-mail-item.tsx';

/** Id of the section, for links to it. */
export const WAITING_EMAILS_ANCHOR = 'waiting-mails';

type WaitingEmailsProps = { hasServer: boolean; onFewer: () => void };

/**
 * Section with the emails written while there was no mail server. The teacher passes them on by hand, all in
 * one file or separately. Once there is a mail server, they can be sent.
 */
export const WaitingEmails = ({ hasServer, onFewer }: WaitingEmailsProps) => (
  <MailSection<OutboxMail>
    id={WAITING_EMAILS_ANCHOR}
    tone="amber"
    getTitle={(total) =>
      `${total.toLocaleString('en')} ${total === 1 ? 'email' : 'emails'} to ${hasServer ? 'send' : 'pass on'}`
    }
    note={
      hasServer
        ? 'These were written before email was set up. Send them now, or pass them on yourself.'
        : 'Email isn’t set up, so nothing is sent from here. Please pass these on yourself.'
    }
    pages={useInfiniteQuery({ ...createPagedListQuery('GET /api/admin/mail/outbox'), staleTime: 0 })}
    onFewer={onFewer}
    action={hasServer ? <SendAllEmailsButton which="outbox" /> : <PassOnAllEmailsButton />}
  >
    {(mail) => <WaitingMailItem mail={mail} hasServer={hasServer} />}
  </MailSection>
);
