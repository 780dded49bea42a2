import { TimeAgo } from '#web/ui/time-ago.tsx';

type MailSummaryProps = { mail: { name: string; recipient: string; subject: string; createdAt: string } };

/** Recipient, subject and age of an email. Wraps addresses of any length. */
export const MailSummary = ({ mail }: MailSummaryProps) => (
  <>
    <h3 className="font-sans text-base font-semibold wrap-anywhere">
      <bdi>{mail.name}</bdi> <span className="font-normal">{mail.recipient}</span>
    </h3>
    <p className="text-sm wrap-anywhere text-soft">
      {mail.subject} · <TimeAgo time={mail.createdAt} />
    </p>
  </>
);
