import { useMutation } from '@tanstack/react-query';
import { Check, Download } from 'lucide-react';
import { useState } from 'react';
import { callApi } from '#web/api/call.ts';
import { saveFile } from '#web/device/save-file.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { createUuid } from '#web/uploads/create-uuid.ts';
import { MAX_PASSED_ON_EMAILS_PER_CALL } from '../limits.ts';
import { createEmailsCsv, type MailWithText } from './emails-csv.ts';
import { getMailActionFailureMessage } from './use-mail-change.ts';

const REFRESHED_PATHS = ['/api/admin/mail', '/api/admin/audit-log'] as const;

/** Button that opens a dialog to download all waiting emails as one file and mark them as passed on. */
export function PassOnAllEmailsButton() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" icon={<Download />} onClick={() => setIsOpen(true)} className="text-lapis!">
        Pass on all
      </Button>
      {isOpen && <PassOnDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

function PassOnDialog({ onClose }: { onClose: () => void }) {
  const [batch] = useState(createUuid);
  const download = useMutation({
    mutationFn: () => fetchAllTexts(batch),
    meta: { refreshes: ['/api/admin/audit-log'] },
    onSuccess: (mails) => {
      if (mails.length > 0) saveFile(createEmailsCsv(mails), 'emails-to-pass-on.csv');
    },
  });
  const passOn = useMutation({
    mutationFn: (mails: readonly MailWithText[]) => markPassedOn(batch, mails),
    meta: { refreshes: REFRESHED_PATHS },
    onSuccess: (count) => {
      toast({ title: `${formatEmailCount(count)} passed on` });
      onClose();
    },
  });
  const mails = download.data;
  const failure = passOn.error ?? download.error;
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Pass on all emails"
      actions={
        mails && mails.length > 0 ? (
          <>
            <Button onClick={onClose}>Not yet</Button>
            <Button
              variant="primary"
              icon={<Check />}
              busy={passOn.isPending}
              onClick={() => passOn.mutate(mails)}
            >
              I’ve passed them on
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              variant="primary"
              icon={<Download />}
              busy={download.isPending}
              onClick={() => download.mutate()}
            >
              Download the file
            </Button>
          </>
        )
      }
    >
      <div role="status" className="grid gap-3">
        {mails === undefined ? (
          <>
            <p>
              You’ll get one file with a row for each person: name, email address, username, password and the
              text of the email. You can open it in any spreadsheet program.
            </p>
            <p>
              Anyone with this file can sign in as these people. Keep it to yourself, and delete it once
              you’ve passed the emails on.
            </p>
          </>
        ) : mails.length === 0 ? (
          <p>There are no emails to pass on.</p>
        ) : (
          <>
            <p className="font-semibold">{formatEmailCount(mails.length)} in the file.</p>
            <p>
              Once everyone has their email, press “I’ve passed them on”. The emails are then removed from
              this list, and their texts are deleted.
            </p>
          </>
        )}
      </div>
      {failure && (
        <Notice tone="danger" className="mt-4">
          {getMailActionFailureMessage(failure)}
        </Notice>
      )}
    </Dialog>
  );
}

const formatEmailCount = (count: number) =>
  `${count.toLocaleString('en')} ${count === 1 ? 'email' : 'emails'}`;

async function fetchAllTexts(batch: string): Promise<MailWithText[]> {
  const opened: MailWithText[] = [];
  let before: number | null | undefined;
  while (before !== null) {
    const answer = await callApi('POST /api/admin/mail/outbox/texts', {
      body: { batch, ...(before !== undefined && { before }) },
    });
    opened.push(...answer.mails);
    ({ before } = answer);
  }
  return opened;
}

async function markPassedOn(batch: string, mails: readonly MailWithText[]): Promise<number> {
  let count = 0;
  for (let at = 0; at < mails.length; at += MAX_PASSED_ON_EMAILS_PER_CALL) {
    const ids = mails.slice(at, at + MAX_PASSED_ON_EMAILS_PER_CALL).map(({ id }) => id);
    count += (await callApi('POST /api/admin/mail/outbox/passed-on', { body: { batch, ids } })).passedOn;
  }
  return count;
}
