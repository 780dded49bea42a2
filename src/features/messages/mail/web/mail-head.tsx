import { TimeAgo } from '#web/ui/time-ago.tsx';

type MailHeadProps = { mail: { name: string; recipient: string; subject: string; createdAt: string } };

/** Whom it is to, subject and age; an address of any length fits. */
export const MailHead = ({ mail }: MailHeadProps) => (
  <>
    <h3 className="font-sans text-base font-semibold wrap-anywhere">
      <bdi>{mail.name}</bdi> <span className="font-normal">{mail.recipient}</span>
    </h3>
    <p className="text-sm wrap-anywhere text-soft">
      {mail.subject} · <TimeAgo time={mail.createdAt} />
    </p>
  </>
);
