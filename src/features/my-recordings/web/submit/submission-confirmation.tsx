import { AudioLines, Mic } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { usePageSettings } from '#web/api/page-data.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Lotus } from '#web/ui/lotus.tsx';
import { usePlayerReturnPath } from './use-player-return-path.ts';
import {
  getSendingFaultMessage,
  getOpenAgainMessage,
  SUBMISSION_SUCCEEDED_MESSAGE,
} from '#features/recordings/web/submission-messages.ts';

type SubmissionConfirmationProps = {
  /** Reason that the recording is still on this device, perhaps in the server's words; null once it has arrived. */
  waitsBecause: keyof typeof waitingMessages | { sentence: string } | null;
  onAnother: () => void;
};

/**
 * Confirms that the recording has arrived or is safe on the device. Stays after the toast has disappeared.
 */
export function SubmissionConfirmation({ waitsBecause, onAnother }: SubmissionConfirmationProps) {
  const { appName, teacherTitle } = usePageSettings();
  const player = usePlayerReturnPath();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Card className="mx-auto flex max-w-2xl flex-col items-center py-12 text-center">
      <Lotus className="mb-5 w-24 text-saffron" strokeWidth={1.5} />
      <h2 ref={heading} tabIndex={-1} className="text-xl">
        {waitsBecause ? 'Your recording is safe on this device' : SUBMISSION_SUCCEEDED_MESSAGE}
      </h2>
      <p role="status" className="mt-2 max-w-md text-soft">
        {waitsBecause
          ? typeof waitsBecause === 'object'
            ? waitsBecause.sentence
            : waitingMessages[waitsBecause](appName)
          : `${teacherTitle} will listen to it. You’ll find the feedback under View Feedback.`}
      </p>
      <div className="mt-7 flex w-full flex-col gap-3 sm:w-auto sm:flex-row">
        <ButtonLink href="/past-recordings">Past Recordings</ButtonLink>
        <Button variant={player ? 'secondary' : 'primary'} icon={<Mic />} onClick={onAnother}>
          Record another
        </Button>
        {player && (
          <ButtonLink href={player} variant="primary" icon={<AudioLines />}>
            Continue practising
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}

const waitingMessages = {
  sending: () => 'We’re sending it now.',
  offline: (appName: string) => `You’re offline. ${getOpenAgainMessage(appName)}`,
  server: (appName: string) => `The server can’t accept it just now. ${getOpenAgainMessage(appName)}`,
  device: () =>
    'Your device can’t open the recording right now. Please keep this page open, and we’ll try again automatically.',
  'signed-out': () => 'Please sign in again, and it will be sent.',
  fault: getSendingFaultMessage,
};
