import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { inOrder, listOf } from '#features/feedback/marks.ts';
import type { Written } from './draft.ts';
import type { Revision } from './reply-draft.ts';

/** Formats a draft as plain text: its words, followed by its marks. */
export const wholeText = ({ text, marks }: Written) =>
  [text.trim(), listOf(inOrder(marks))].filter((part) => part !== '').join('\n\n');

type DraftBesidesProps = {
  besides: readonly Revision[];
  onUse: (other: Revision) => void;
  onPutAway: (other: Revision) => void;
};

/** Shows other versions of the draft, from this device or from another browser, so that none is overlooked. */
export const DraftBesides = ({ besides, onUse, onPutAway }: DraftBesidesProps) =>
  besides.map((other) => (
    <Notice key={other.revision} tone="amber" title="This draft was also changed in another browser.">
      <p>Other version:</p>
      <p dir="auto" className="mt-2 break-words whitespace-pre-line">
        {wholeText(other)}
      </p>
      <span className="mt-3 flex flex-wrap gap-3">
        <Button onClick={() => onUse(other)}>Use this version</Button>
        <Button onClick={() => onPutAway(other)}>Discard</Button>
      </span>
    </Notice>
  ));
