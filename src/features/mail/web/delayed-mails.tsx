import { Notice } from '../../../platform/web/ui/notice.tsx';
import type { TroubledMail } from '../contract.ts';

/** Nothing to do about these, so no more than a line. */
export function DelayedMails({ mails }: { mails: readonly TroubledMail[] }) {
  const [newest] = mails;
  const what = mails.length === 1 ? `The mail to ${newest?.recipient} is` : `${mails.length} mails are`;
  return (
    <Notice isQuiet className="wrap-anywhere">
      {what} delayed: {newest?.reason} It is tried again by itself for a day.
    </Notice>
  );
}
