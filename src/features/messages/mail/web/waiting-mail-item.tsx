import { useMutation } from '@tanstack/react-query';
import { Check, Copy, KeyRound, Mail, Send } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { callApi } from '#web/api/call.ts';
import { copyText } from '#web/device/clipboard.ts';
import { toast } from '#web/ui/toasts.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button, getButtonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { OutboxMail } from '../contract.ts';
import { formatSignInDetails } from '../sign-in-details.ts';
import { buildMailtoUrl } from './emails-csv.ts';
import { MailSummary } from './mail-summary.tsx';
import { getMailActionFailureMessage, useSendMailAgain, useRemoveMail } from './use-mail-change.ts';

type WaitingMailItemProps = { mail: OutboxMail; hasServer: boolean };

export function WaitingMailItem({ mail, hasServer }: WaitingMailItemProps) {
  const [isAsking, setIsAsking] = useState(false);
  const sendAgain = useSendMailAgain(mail.id);
  const opening = useMutation({
    mutationFn: () => callApi('POST /api/admin/mail/{id}/text', { params: { id: mail.id } }),
    meta: { refreshes: ['/api/admin/audit-log'] },
  });
  const text = opening.data?.text;
  const isMissing = text === null;
  const canPassOn = !mail.isHidden && !isMissing;
  const error = sendAgain.error ?? opening.error;

  return (
    <>
      <MailSummary mail={mail} />
      {mail.isHidden && <HiddenTextNotice mail={mail} />}
      {isMissing && (
        <p className="mt-2 text-sm">
          The text of this email isn’t on this server.{' '}
          {hasServer ? 'Press “Send now” to write and send it again.' : 'Create it again.'}
        </p>
      )}
      {text && <MailText mail={mail} text={text} />}
      <div className="mt-3 flex flex-wrap gap-2">
        {!mail.isHidden && !opening.isSuccess && (
          <Button
            busy={opening.isPending}
            aria-label={`Show the email to ${mail.recipient}`}
            onClick={() => opening.mutate()}
          >
            Show the email
          </Button>
        )}
        {(hasServer || isMissing) && (
          <Button
            icon={<Send />}
            busy={sendAgain.isPending}
            aria-label={
              hasServer
                ? `Send the email to ${mail.recipient} now`
                : `Create the email to ${mail.recipient} again`
            }
            onClick={() => sendAgain.mutate()}
          >
            {hasServer ? 'Send now' : 'Create it again'}
          </Button>
        )}
        <Button variant="quiet" onClick={() => setIsAsking(true)}>
          {canPassOn ? 'I’ve passed it on' : 'Remove from the list'}
        </Button>
      </div>
      {error && (
        <Notice tone="danger" className="mt-3">
          {getMailActionFailureMessage(error)}
        </Notice>
      )}
      <SettleDialog {...{ mail, isMissing, canPassOn }} isOpen={isAsking} onOpenChange={setIsAsking} />
    </>
  );
}

const HiddenTextNotice = ({ mail }: { mail: OutboxMail }) => (
  <p className="mt-2 text-sm wrap-anywhere">
    This email is to a teacher. Nobody can read it here, because it could let someone else into the account.
    If <bdi>{mail.name}</bdi> can’t sign in, ask whoever runs the server to type:{' '}
    <code className="font-mono">npm run admin -- reset {mail.recipient}</code>
  </p>
);

type CopyState = 'not yet' | 'copied' | 'by hand';

function MailText({ mail, text }: { mail: OutboxMail; text: string }) {
  const shown = useRef<HTMLPreElement>(null);
  const [copyState, setCopyState] = useState<CopyState>('not yet');
  // Moves focus to the text, because the focused button has disappeared.
  useEffect(() => shown.current?.focus({ preventScroll: true }), []);
  const copy = async (words: string) => {
    const isCopied = await copyText(words, shown.current);
    setCopyState(isCopied ? 'copied' : 'by hand');
    if (isCopied) toast({ title: 'Copied' });
  };
  const details = formatSignInDetails(text, location.origin);
  return (
    <>
      <pre
        ref={shown}
        tabIndex={0}
        role="group"
        aria-label={`Text of the email to ${mail.recipient}`}
        className="mt-3 max-h-80 overflow-y-auto rounded-md bg-sunk px-4 py-3 font-sans text-base wrap-anywhere whitespace-pre-wrap"
      >
        {text.trim()}
      </pre>
      <div className="mt-3 flex flex-wrap gap-2">
        {details !== null && (
          <Button
            icon={<KeyRound />}
            aria-label={`Copy sign-in details of ${mail.name}`}
            onClick={() => void copy(details)}
          >
            Copy sign-in details
          </Button>
        )}
        <Button
          icon={copyState === 'copied' ? <Check /> : <Copy />}
          aria-label={`Copy the email to ${mail.recipient}`}
          onClick={() => void copy(text)}
        >
          Copy the email
        </Button>
        <a href={buildMailtoUrl(mail.recipient, mail.subject, text)} className={getButtonClass('secondary')}>
          <Mail />
          Open in your email app
        </a>
      </div>
      <p role="status" className="text-sm font-semibold text-jade-ink not-empty:mt-2">
        {COPY_MESSAGES[copyState]}
      </p>
    </>
  );
}

const COPY_MESSAGES = {
  'not yet': null,
  copied: 'Copied.',
  'by hand': 'The text is selected. Copy it with Ctrl+C, or press and hold it.',
};

type SettleDialogProps = {
  mail: OutboxMail;
  isMissing: boolean;
  canPassOn: boolean;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
};

/** Dialog that confirms the removal of an email, because its text exists nowhere else. */
function SettleDialog({ mail, isMissing, canPassOn, isOpen, onOpenChange }: SettleDialogProps) {
  const settle = useRemoveMail(mail.id, canPassOn ? 'Passed on' : 'Removed from the list');
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      sentence={canPassOn ? 'Have you passed this email on?' : 'Remove this email from the list?'}
      note={
        <span className="wrap-anywhere">
          {isMissing ? (
            <>
              <bdi>{mail.name}</bdi> won’t get this email.
            </>
          ) : (
            `The text of the email to ${mail.recipient} will be deleted and can’t be recovered.`
          )}
        </span>
      }
      confirmLabel={canPassOn ? 'I’ve passed it on' : 'Remove from the list'}
      cancelLabel={canPassOn ? 'Not yet' : 'Cancel'}
      busy={settle.isPending}
      onConfirm={() => settle.mutate(undefined, { onSettled: () => onOpenChange(false) })}
    />
  );
}
