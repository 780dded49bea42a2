import { Notice } from '../../../platform/web/ui/notice.tsx';
import type { TroubledMail } from '../contract.ts';

/** There is nothing to do about these, so just a single sentence. */
export function DelayedMails({ mails }: { mails: readonly TroubledMail[] }) {
  const [newest] = mails;
  const what = mails.length === 1 ? `The mail to ${newest?.recipient} is` : `${mails.length} mails are`;
  return (
    <Notice isQuiet className="wrap-anywhere">
      {what} delayed: {ended(newest?.reason ?? '')} It is tried again by itself for a day.
    </Notice>
  );
}

/** A server's message need not end like a sentence. */
const ended = (reason: string) => (/[.!?…]$/.test(reason) ? reason : `${reason}.`);
