import { useMutation, useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Answer, call, sentenceOf } from '#web/api/call.ts';
import { apiQuery, refresh } from '#web/api/query-client.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';

type State = Answer<'GET /api/admin/first-steps'>;

const ADDRESS = '/api/admin/first-steps';

/** Checklist for a teacher on a new installation; hidden once it is done or dismissed. */
export default function FirstSteps() {
  // Each step is done on another page, so refetch after returning.
  const { data } = useQuery({ ...apiQuery('GET /api/admin/first-steps'), staleTime: 0 });
  const dismiss = useMutation({
    mutationFn: () => call('DELETE /api/admin/first-steps'),
    meta: { refreshes: [ADDRESS] },
    // The pressed button disappears.
    onSuccess: () => document.getElementById('content')?.focus({ preventScroll: true }),
  });
  if (!data || data.isDismissed || isAllDone(data)) return null;
  return (
    <Card as="section" aria-labelledby="first-steps" className="max-w-3xl">
      <h2 id="first-steps" className="text-2xl">
        First steps
      </h2>
      <p className="mt-1 mb-3 text-soft">{countDone(data)} of 6 are done. They can be done in any order.</p>
      <ol className="divide-y divide-line border-y border-line">
        <Step isDone={data.who} title="Who you are" link={['/change-password', 'Give your name']}>
          Your name, your own email and a password that only you know.
        </Step>
        <Step isDone={data.levels} title="Levels" link={['/admin/users#levels', 'Look at the levels']}>
          Which transmissions your melodies ask for. Five are there; rename them, or add your own.
        </Step>
        <Step isDone={data.melodies} title="First melodies" link={['/admin/add-melody', 'Add a melody']}>
          A sound or a video, the words, and the level that one must have received.
        </Step>
        <Step isDone={data.students} title="Students" link={['/admin/invite', 'Invite students']}>
          One by one, or from a list. Others may ask for access at the sign-in page.
        </Step>
        <Mail mail={data.mail} />
        <Step isDone={data.backup} title="Backup">
          {data.backup
            ? 'A backup was taken.'
            : 'No backup yet. To back up every night, ask whoever runs the server to set BACKUP_DIR.'}
        </Step>
      </ol>
      <div className="mt-4 flex flex-wrap items-center gap-4">
        <Button variant="quiet" busy={dismiss.isPending} onClick={() => dismiss.mutate()} className="-ms-4">
          Put this away
        </Button>
        {dismiss.isError && (
          <p role="alert" className="text-sm text-danger">
            {sentenceOf(dismiss.error, 'This did not work. Please try again.')}
          </p>
        )}
      </div>
    </Card>
  );
}

const doneIn = ({ who, levels, melodies, students, mail, backup }: State) => [
  who,
  levels,
  melodies,
  students,
  mail.isDone,
  backup,
];
const countDone = (state: State) => doneIn(state).filter(Boolean).length;
const isAllDone = (state: State) => doneIn(state).every(Boolean);

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

function Mail({ mail: { hasServer, isDone, test } }: { mail: State['mail'] }) {
  const send = useMutation({
    mutationFn: () => call('POST /api/admin/first-steps/test-mail'),
    meta: { refreshes: [ADDRESS, '/api/admin/mail'] },
  });
  if (!hasServer) {
    return (
      <Step isDone={false} title="Mail">
        No mail server is set up: mails wait for you to pass them on. Whoever looks after the server sets
        SMTP_URL.
      </Step>
    );
  }
  return (
    <Step
      isDone={isDone}
      title="Mail"
      action={
        <>
          {test?.status === 'queued' && <Button onClick={() => refresh([ADDRESS])}>Look again</Button>}
          <Button busy={send.isPending} onClick={() => send.mutate()} className="max-sm:w-full">
            {test ? 'Send another' : 'Send a test mail to me'}
          </Button>
        </>
      }
    >
      <span role="status" className={clsx('block', test?.status === 'undeliverable' && 'text-danger')}>
        {send.error ? sentenceOf(send.error, 'This did not work. Please try again.') : testSaid(test)}
      </span>
    </Step>
  );
}

function testSaid(test: State['mail']['test']): string {
  if (!test) return 'A mail server is set up. Try whether its mails reach you.';
  const reason = test.reason ? ` ${test.reason}` : '';
  switch (test.status) {
    case 'queued':
      return reason === '' ? 'The test mail is on its way.' : `The test mail is delayed:${reason}`;
    case 'delivered':
      return 'The mail server has taken the test mail. Look whether it has reached you, also among unwanted mail.';
    case 'undeliverable':
      return `The test mail was refused:${reason}`;
  }
}
