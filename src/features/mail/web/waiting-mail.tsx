import { Check, Copy, KeyRound, Send } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { copyText } from '../../../platform/web/clipboard.ts';
import { toast } from '../../../platform/web/toasts.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import type { OutboxMail } from '../contract.ts';
import { signInDetails } from '../sign-in-details.ts';
import { MailHead } from './mail-head.tsx';
import { failureOf, useSendMailAgain, useSettleMail } from './use-mail-change.ts';
import { ConfirmDialog } from '../../../platform/web/ui/alert-dialog.tsx';

type CopyState = 'not yet' | 'copied' | 'by hand';
type WaitingMailProps = { mail: OutboxMail; hasServer: boolean };

export function WaitingMail({ mail, hasServer }: WaitingMailProps) {
  const text = useRef<HTMLPreElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [copyState, setCopyState] = useState<CopyState>('not yet');
  const [isAsking, setIsAsking] = useState(false);
  const sendAgain = useSendMailAgain(mail.id);

  const copy = async (words: string) => {
    // Collapsed text can't be selected.
    flushSync(() => setIsOpen(true));
    const isCopied = await copyText(words, text.current);
    setCopyState(isCopied ? 'copied' : 'by hand');
    if (isCopied) toast({ title: 'Copied' });
  };

  const details = mail.text === null ? null : signInDetails(mail.text, location.origin);

  return (
    <>
      <MailHead mail={mail} />
      {mail.text === null ? (
        <p className="mt-2 text-sm">The text of this mail is not on this machine. Have it written anew.</p>
      ) : (
        <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)} className="mt-2">
          <summary className="min-h-11 cursor-pointer py-2.5 text-sm font-semibold">Text of the mail</summary>
          <pre
            ref={text}
            tabIndex={0}
            role="group"
            aria-label={`Text of the mail to ${mail.recipient}`}
            className="max-h-80 overflow-y-auto rounded-md bg-sunk px-4 py-3 font-sans text-base wrap-anywhere whitespace-pre-wrap"
          >
            {mail.text.trim()}
          </pre>
        </details>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {details !== null && (
          <Button
            icon={<KeyRound aria-hidden="true" />}
            aria-label={`Copy sign-in details of ${mail.name}`}
            onClick={() => void copy(details)}
          >
            Copy sign-in details
          </Button>
        )}
        {mail.text !== null && (
          <Button
            icon={copyState === 'copied' ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
            aria-label={`Copy the mail to ${mail.recipient}`}
            onClick={() => void copy(mail.text ?? '')}
          >
            Copy the mail
          </Button>
        )}
        {(hasServer || mail.text === null) && (
          <Button
            icon={<Send aria-hidden="true" />}
            busy={sendAgain.isPending}
            aria-label={`${hasServer ? 'Send now' : 'Write anew'} the mail to ${mail.recipient}`}
            onClick={() => sendAgain.mutate()}
          >
            {hasServer ? 'Send now' : 'Write anew'}
          </Button>
        )}
        <Button variant="quiet" onClick={() => setIsAsking(true)}>
          {mail.text === null ? 'Take it off the list' : 'I have passed it on'}
        </Button>
      </div>
      <p role="status" className="text-sm font-semibold text-jade-ink not-empty:mt-2">
        {COPY_SENTENCES[copyState]}
      </p>
      {sendAgain.error && (
        <Notice tone="danger" className="mt-3">
          {failureOf(sendAgain.error)}
        </Notice>
      )}
      <PassedOnDialog mail={mail} isOpen={isAsking} onOpenChange={setIsAsking} />
    </>
  );
}

const COPY_SENTENCES = {
  'not yet': null,
  copied: 'Copied.',
  'by hand': 'The text is selected: copy it with Ctrl+C, or by a long press.',
};

type PassedOnDialogProps = {
  mail: OutboxMail;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
};

/** Asks first, because the text is nowhere else. */
function PassedOnDialog({ mail, isOpen, onOpenChange }: PassedOnDialogProps) {
  const settle = useSettleMail(mail.id, 'Passed on');
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      sentence="Have you passed this mail on?"
      note={
        <span className="wrap-anywhere">
          The text of the mail to {mail.recipient} is deleted, and nobody can see it again.
        </span>
      }
      confirmLabel="I have passed it on"
      cancelLabel="Not yet"
      busy={settle.isPending}
      onConfirm={() => settle.mutate(undefined, { onSettled: () => onOpenChange(false) })}
    />
  );
}
