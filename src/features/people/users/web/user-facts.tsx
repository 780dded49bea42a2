import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useState } from 'react';
import { callApi } from '#web/api/call.ts';
import { formatDisplayName } from '#web/api/session.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { MutationErrorText } from '#web/ui/error-text.tsx';
import { ExactDate, TimeAgo } from '#web/ui/time-ago.tsx';
import type { ListedUser } from '../contract.ts';
import { ISSUED_PASSWORD_TTL_DAYS, isIssuedPasswordExpired } from '#features/accounts/limits.ts';
import { RevealablePassword } from './revealable-password.tsx';

export function UserFacts({ user }: { user: ListedUser }) {
  const { recordingCount, feedbackCount, lastSignInAt, waitingMails } = user;
  return (
    <dl className="mb-5 grid grid-cols-2 gap-x-4 gap-y-2 border-b border-line pb-5 text-sm">
      <Fact term="Recordings">{recordingCount === 0 ? 'None yet' : recordingCount.toLocaleString('en')}</Fact>
      <Fact term="Feedback">
        {feedbackCount === 0 ? (
          'None yet'
        ) : (
          <Link
            href={`/past-feedback?q=${encodeURIComponent(formatDisplayName(user))}`}
            className="link -my-2.5 inline-flex min-h-11 items-center"
          >
            {feedbackCount === 1 ? '1 recording' : `${feedbackCount.toLocaleString('en')} recordings`}
          </Link>
        )}
      </Fact>
      <Fact term="Last signed in">{lastSignInAt ? <TimeAgo time={lastSignInAt} /> : 'Never'}</Fact>
      {user.passwordIssuedAt && (
        <Fact term="Password">{describeIssuedPassword(new Date(user.passwordIssuedAt))}</Fact>
      )}
      <Fact term="Email">
        {waitingMails === 0
          ? 'Nothing waiting'
          : `${waitingMails} ${waitingMails === 1 ? 'email' : 'emails'} not delivered`}
      </Fact>
    </dl>
  );
}

function describeIssuedPassword(issuedAt: Date) {
  if (isIssuedPasswordExpired(issuedAt, new Date())) return 'Expired before it was used. Create a new one.';
  const until = new Date(issuedAt);
  until.setDate(until.getDate() + ISSUED_PASSWORD_TTL_DAYS);
  return (
    <>
      Not used yet. Works until <ExactDate time={until.toISOString()} />.
    </>
  );
}

const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <div>
    <dt className="text-soft">{term}</dt>
    <dd className="font-semibold">{children}</dd>
  </div>
);

/** Button that creates a new password to hand over to a student who can't receive email. */
export function NewPasswordButton({ user }: { user: ListedUser }) {
  const [isAsking, setIsAsking] = useState(false);
  const issue = useMutation({
    mutationFn: () => callApi('POST /api/admin/users/{id}/password', { params: { id: user.id } }),
    meta: { refreshes: ['/api/admin/users', '/api/admin/mail', '/api/admin/audit-log'] },
    // Removes the result, which contains the password, from memory when the button unmounts.
    gcTime: 0,
    onSettled: () => setIsAsking(false),
  });
  const name = formatDisplayName(user);
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>Create new password</Button>
      <MutationErrorText
        mutation={issue}
        sentence="Couldn’t create a password. Please try again."
        className="w-full"
      />
      <div role="status" className="w-full">
        {issue.data && (
          <section
            aria-label={`New password for ${name}`}
            className="rounded-md border-s-4 border-jade-ink bg-jade-ground p-4"
          >
            <p className="mb-3 text-sm break-words text-jade-ink">
              For <bdi className="font-semibold">{name}</bdi>, username{' '}
              <strong>{issue.data.user.username}</strong>
            </p>
            <RevealablePassword password={issue.data.password} />
            <p className="mt-3 text-sm">
              It’s shown only once, so copy it before you leave. It expires if it isn’t used within{' '}
              {ISSUED_PASSWORD_TTL_DAYS} days.
            </p>
            <Button className="mt-3" onClick={() => issue.reset()}>
              Clear
            </Button>
          </section>
        )}
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        sentence={`Create a new password for ${name}?`}
        note="Their old password stops working and they are signed out everywhere. The new password is shown once, so copy it before you leave."
        confirmLabel="Create password"
        busy={issue.isPending}
        onConfirm={() => issue.mutate()}
      />
    </>
  );
}
