import { explainError } from '#web/ui/sentences.ts';
import { Plus, Check } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts';
import { Notice } from '#web/ui/notice.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import { InviteRowFields } from './invite-row-fields.tsx';
import { describeInviteCounts, SEND_INVITES_FAILED_TITLE, useInviteForm } from './use-invite-form.ts';
import { WAITING_EMAILS_ANCHOR } from '#features/messages/mail/web/waiting-emails.tsx';
import { usePageSettings } from '#web/api/page-data.ts';
import { Badge } from '#web/ui/badge.tsx';
import type { InviteRow } from './invite-rows.ts';

export function InviteForm({ levels }: { levels: readonly Level[] }) {
  const invites = useInviteForm(levels);
  const { form, rows, sending, problem, completeCount } = invites;
  useFocusAfterRemoval(
    form.props.ref,
    rows.map(({ key }) => key),
  );

  const { successCount = 0, failureCount = 0 } = sending.data ?? {};
  return (
    <>
      <form {...form.props} className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {rows.map((row, index) => (
          <InviteRowFields
            key={row.key}
            row={row}
            number={index + 1}
            levels={levels}
            showsErrors={problem !== undefined}
            onEdit={(typed) => invites.edit(row.key, typed)}
            onRemove={rows.length > 1 ? () => invites.remove(row.key) : null}
          />
        ))}
        {invites.canAdd && (
          <Button icon={<Plus />} onClick={invites.add} className="max-sm:w-full sm:justify-self-start">
            Add Another Invite
          </Button>
        )}
        {problem && <Notice tone="danger">{problem}</Notice>}
        {sending.isError && (
          <Notice tone="danger" title={SEND_INVITES_FAILED_TITLE}>
            {explainError(sending.error, 'Please try again.', 'What you typed is still here.')}
          </Notice>
        )}
        {sending.isSuccess && failureCount > 0 && (
          <Notice tone="danger" title={describeInviteCounts(successCount, failureCount)}>
            Invites that failed are still in the form, with the reason.
          </Notice>
        )}
        <Button
          type="submit"
          variant="primary"
          busy={sending.isPending}
          className="max-sm:w-full sm:justify-self-start"
        >
          Send {completeCount} {completeCount === 1 ? 'Invite' : 'Invites'}
        </Button>
      </form>
      <SentInvites sent={invites.sent} />
    </>
  );
}

/** People invited from this page, newest first. The list is lost when the page is left. */
function SentInvites({ sent }: { sent: readonly InviteRow[] }) {
  const { sendsMail } = usePageSettings();
  return (
    <div role="status" className="not-empty:mt-7">
      {sent.length > 0 && (
        <>
          <h3 className="mb-1 text-lg">Invited</h3>
          {!sendsMail && (
            <p className="mb-2 text-sm text-soft">
              The emails for them are{' '}
              <a href={`#${WAITING_EMAILS_ANCHOR}`} className="link">
                at the top of this page
              </a>
              . Copy each one and pass it on.
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
                    <Check className="size-4" /> Sent
                  </Badge>
                ) : (
                  <Badge tone="waiting">To pass on</Badge>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
