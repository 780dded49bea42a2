import { Notice } from '../../../platform/web/ui/notice.tsx';
import type { TroubledMail } from '../contract.ts';

/** Nothing to do about these, so no more than a line. */
export function DelayedMails({ mails }: { mails: readonly TroubledMail[] }) {
  const [newest] = mails;
  const what = mails.length === 1 ? `The mail to ${newest?.recipient} is` : `${mails.length} mails are`;
  return (
    <Notice isQuiet className="wrap-anywhere">
      {what} delayed: {ended(newest?.reason ?? '')} It is tried again by itself for a day.
    </Notice>
  );
}

/** What a server says need not end like a sentence. */
const ended = (reason: string) => (/[.!?…]$/.test(reason) ? reason : `${reason}.`);
