import { Check } from 'lucide-react';
import { WAITING_MAILS } from '#features/messages/mail/web/waiting-mails.tsx';
import { useSettings } from '#web/api/page-data.ts';
import { Badge } from '#web/ui/badge.tsx';
import type { InviteRow } from './invite-rows.ts';

/** Who has been invited from this page, newest first; until the page is left. */
export function SentInvites({ sent }: { sent: readonly InviteRow[] }) {
  const { sendsMail } = useSettings();
  return (
    <div role="status" className="not-empty:mt-7">
      {sent.length > 0 && (
        <>
          <h3 className="mb-1 text-lg">Invited</h3>
          {!sendsMail && (
            <p className="mb-2 text-sm text-soft">
              Their mails wait for you{' '}
              <a href={`#${WAITING_MAILS}`} className="link">
                at the top of this page
              </a>
              : copy each and pass it on.
            </p>
          )}
          <ul className="divide-y divide-line border-y border-line">
            {sent.map(({ key, email, firstName, lastName }) => (
              <li key={key} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
                <div className="min-w-0 grow basis-56">
                  <p dir="auto" className="font-semibold break-words">
                    {firstName} {lastName}
                  </p>
                  <p className="text-sm break-words text-soft">{email}</p>
                </div>
                {sendsMail ? (
                  <Badge tone="done">
                    <Check aria-hidden="true" className="size-4" /> Sent
                  </Badge>
                ) : (
                  <Badge tone="waiting">To be passed on</Badge>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
