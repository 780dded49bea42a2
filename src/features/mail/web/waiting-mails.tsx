import type { OutboxMail } from '../contract.ts';
import { MailSection } from './mail-section.tsx';
import { WaitingMail } from './waiting-mail.tsx';

/** The section's id, for links. */
export const WAITING_MAILS = 'waiting-mails';

type WaitingMailsProps = { mails: readonly OutboxMail[]; total: number; hasServer: boolean };

/** Mails without a mail server: the teacher copies each and passes it on. */
export const WaitingMails = ({ mails, total, hasServer }: WaitingMailsProps) => (
  <MailSection
    id={WAITING_MAILS}
    tone="amber"
    title={hasServer ? 'Mails that were never sent' : 'No mail server is set up'}
    note={
      hasServer
        ? 'They were written before there was a mail server. Send them now, or pass them on yourself.'
        : 'Nobody gets mail from here. Please copy each mail and pass it on yourself.'
    }
    {...{ mails, total }}
  >
    {(mail) => <WaitingMail mail={mail} hasServer={hasServer} isOpenAtFirst={total === 1} />}
  </MailSection>
);
