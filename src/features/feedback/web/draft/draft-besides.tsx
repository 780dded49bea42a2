import { Button } from '../../../../platform/web/ui/button.tsx';
import { Notice } from '../../../../platform/web/ui/notice.tsx';
import { inOrder, listOf } from '../../marks.ts';
import type { Written } from './draft.ts';

/** A draft as one reads it: its words, and below them what its marks say. */
export const wholeText = ({ text, marks }: Written) =>
  [text.trim(), listOf(inOrder(marks))].filter((part) => part !== '').join('\n\n');

type DraftBesidesProps = {
  besides: readonly Written[];
  onUse: (written: Written) => void;
  onPutAway: (written: Written) => void;
};

/** What was typed on this device while the draft was changed elsewhere: nothing of it goes unseen. */
export const DraftBesides = ({ besides, onUse, onPutAway }: DraftBesidesProps) =>
  besides.map((written, index) => (
    <Notice
      key={index}
      tone="amber"
      title="This draft was changed in another browser, and on this device too."
    >
      <p>One is in the form. This is the other:</p>
      <p className="mt-2 break-words whitespace-pre-line">{wholeText(written)}</p>
      <span className="mt-3 flex flex-wrap gap-3">
        <Button onClick={() => onUse(written)}>Use this one</Button>
        <Button onClick={() => onPutAway(written)}>Put it away</Button>
      </span>
    </Notice>
  ));
