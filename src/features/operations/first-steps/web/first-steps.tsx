import { useMutation, useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { type ApiResponse, callApi, getErrorMessage } from '#web/api/call.ts';
import { OWN_NAME_ANCHOR } from '#features/people/profile/limits.ts';
import { createApiQuery, refreshQueries } from '#web/api/query-client.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';

type FirstStepsState = ApiResponse<'GET /api/admin/first-steps'>;

const FIRST_STEPS_PATH = '/api/admin/first-steps';

/**
 * Checklist for a teacher on a new installation. It is hidden once all steps are done or the teacher dismisses
 * it.
 */
export default function FirstSteps() {
  // Refetches the steps whenever the teacher returns, because most steps are done on other pages.
  const { data } = useQuery({ ...createApiQuery('GET /api/admin/first-steps'), staleTime: 0 });
  const dismiss = useMutation({
    mutationFn: () => callApi('DELETE /api/admin/first-steps'),
    meta: { refreshes: [FIRST_STEPS_PATH] },
    // Moves the focus to the content, because the pressed button disappears.
    onSuccess: () => document.getElementById('content')?.focus({ preventScroll: true }),
  });
  if (!data || data.isDismissed) return null;
  const { who, levels, melodies, students, mail, backup } = data;
  // Includes only the steps that a teacher can take. Backups, and a missing mail server, are set up on the
  // server.
  const steps = [who, levels, melodies, students, ...(mail.hasServer ? [mail.isDone] : [])];
  if (steps.every(Boolean)) return null;
  const missing = describeMissing({ hasMail: mail.hasServer, hasBackup: backup });
  return (
    <Card as="section" aria-labelledby="first-steps" className="max-w-3xl">
      <h2 id="first-steps" className="text-2xl">
        First steps
      </h2>
      <p className="mt-1 mb-3 text-soft">
        {steps.filter(Boolean).length} of {steps.length} done. You can do them in any order.
      </p>
      <ol className="divide-y divide-line border-y border-line">
        <Step
          isDone={who}
          title="Your details"
          link={[`/change-password#${OWN_NAME_ANCHOR}`, 'Add your name']}
        >
          Your name, your own email and a password that only you know.
        </Step>
        <Step isDone={levels} title="Levels" link={['/admin/users#levels', 'View levels']}>
          The transmissions your melodies require. Five are set up; rename them or add your own.
        </Step>
        <Step isDone={melodies} title="First melodies" link={['/admin/add-melody', 'Add a melody']}>
          Audio or a video, the words, and the level needed to hear it.
        </Step>
        <Step isDone={students} title="Students" link={['/admin/invite', 'Invite students']}>
          One by one or from a list. Others can request access on the sign-in page.
        </Step>
        {mail.hasServer && <MailStep mail={mail} />}
      </ol>
      {missing && (
        <p className="mt-3 text-sm text-soft">{missing} set up yet. Ask whoever runs the server.</p>
      )}
      <div className="mt-4 flex flex-wrap items-center gap-4">
        <Button variant="quiet" busy={dismiss.isPending} onClick={() => dismiss.mutate()} className="-ms-4">
          Hide this
        </Button>
        {dismiss.isError && (
          <p role="alert" className="text-sm text-danger">
            {getErrorMessage(dismiss.error, 'Something went wrong. Please try again.')}
          </p>
        )}
      </div>
    </Card>
  );
}

function describeMissing({ hasMail, hasBackup }: { hasMail: boolean; hasBackup: boolean }) {
  if (hasMail) return hasBackup ? null : 'Backups aren’t';
  return hasBackup ? 'Email isn’t' : 'Email and backups aren’t';
}

type StepProps = {
  isDone: boolean;
  title: string;
  link?: readonly [href: string, label: string];
  action?: ReactNode;
  children: ReactNode;
};

const Step = ({ isDone, title, link, action, children }: StepProps) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
    <span
      aria-hidden="true"
      className={clsx(
        'grid size-7 shrink-0 place-items-center rounded-full',
        isDone ? 'bg-jade-ground text-jade-ink' : 'border border-edge',
      )}
    >
      {isDone && <Check className="size-4" />}
    </span>
    <div className="min-w-0 grow basis-64">
      <h3 className="font-sans text-base font-semibold">
        {title}
        <span className="sr-only">{isDone ? ', done' : ', to do'}</span>
      </h3>
      <p className="text-sm text-soft">{children}</p>
    </div>
    {action}
    {link && !isDone && (
      <ButtonLink href={link[0]} className="max-sm:w-full">
        {link[1]}
      </ButtonLink>
    )}
  </li>
);

function MailStep({ mail: { isDone, test } }: { mail: FirstStepsState['mail'] }) {
  const send = useMutation({
    mutationFn: () => callApi('POST /api/admin/first-steps/test-mail'),
    meta: { refreshes: [FIRST_STEPS_PATH, '/api/admin/mail'] },
  });
  return (
    <Step
      isDone={isDone}
      title="Email"
      action={
        <>
          {test?.status === 'queued' && (
            <Button onClick={() => refreshQueries([FIRST_STEPS_PATH])}>Check again</Button>
          )}
          <Button busy={send.isPending} onClick={() => send.mutate()} className="max-sm:w-full">
            {test ? 'Send another' : 'Send me a test email'}
          </Button>
        </>
      }
    >
      <span role="status" className={clsx('block', test?.status === 'undeliverable' && 'text-danger')}>
        {send.error
          ? getErrorMessage(send.error, 'Something went wrong. Please try again.')
          : describeTest(test)}
      </span>
    </Step>
  );
}

function describeTest(test: FirstStepsState['mail']['test']): string {
  if (!test) return 'Email is set up. Check that it reaches you.';
  const reason = test.reason ? ` ${test.reason}` : '';
  switch (test.status) {
    case 'queued':
      return reason === '' ? 'The test email is being sent.' : `The test email is delayed:${reason}`;
    case 'delivered':
      return 'The test email was sent. Check your inbox and your spam folder.';
    case 'undeliverable':
      return `The test email was refused:${reason}`;
  }
}
