import { InboxPage } from '#features/feedback/web/inbox/inbox-page.tsx';
import { SungMelody } from '#features/teaching-notes/web/sung-melody.tsx';

/** The inbox, with the teaching notes beside the text of each melody. */
export default function InboxWithMelodies() {
  return <InboxPage SungMelody={SungMelody} />;
}
