import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { normalizeMarks, formatMarks } from '#features/feedback/marks.ts';
import type { WrittenReply } from './written-reply.ts';
import type { DraftVersion } from './reply-draft.ts';

/** Formats a draft as plain text: its words, followed by its marks. */
export const formatWrittenReply = ({ text, marks }: WrittenReply) =>
  [text.trim(), formatMarks(normalizeMarks(marks))].filter((part) => part !== '').join('\n\n');

type OtherDraftsProps = {
  drafts: readonly DraftVersion[];
  onUse: (other: DraftVersion) => void;
  onDiscard: (other: DraftVersion) => void;
};

/**
 * Shows other versions of the draft, from this device or from another browser, so that the teacher does not
 * overlook a version.
 */
export const OtherDrafts = ({ drafts, onUse, onDiscard }: OtherDraftsProps) =>
  drafts.map((other) => (
    <Notice key={other.revision} tone="amber" title="This draft was also changed in another browser.">
      <p>Other version:</p>
      <p dir="auto" className="mt-2 break-words whitespace-pre-line">
        {formatWrittenReply(other)}
      </p>
      <span className="mt-3 flex flex-wrap gap-3">
        <Button onClick={() => onUse(other)}>Use this version</Button>
        <Button onClick={() => onDiscard(other)}>Discard</Button>
      </span>
    </Notice>
  ));
