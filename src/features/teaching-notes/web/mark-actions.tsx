import { BookmarkPlus, Ellipsis, MessageCircleQuestion } from 'lucide-react';
import { useState } from 'react';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import { toast } from '#web/ui/toasts.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DropdownMenu, MenuItem } from '#web/ui/dropdown-menu.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { Feedback, Mark } from '#features/feedback/contract.ts';
import { formatMarkTime } from '#features/feedback/marks.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';

const NoteFromMarkForm = createLazyComponent(() => import('./note-from-mark-form.tsx'));
const AskForm = createLazyComponent(() => import('../agreements/web/ask-agreement-form.tsx'));

type MarkActionsProps = {
  feedback: Pick<Feedback, 'recording' | 'marks' | 'voices'>;
  melodyId: number;
  mark: Mark;
  number: number;
};

/**
 * Menu beside a mark in a student's feedback. The teacher uses it to make a note for everyone who sings the
 * melody, or to ask the student to share the passage next to a note.
 */
export function MarkActions({ number, ...marked }: MarkActionsProps) {
  const { title } = marked.feedback.recording;
  const [dialog, setDialog] = useState<'note' | 'ask' | null>(null);
  const [notedWords, setNotedWords] = useState<string | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <DropdownMenu
        trigger={(props) => (
          <IconButton
            label={`More for comment ${number}, ${formatMarkTime(marked.mark)}`}
            aria-haspopup="menu"
            icon={<Ellipsis />}
            {...props}
          />
        )}
      >
        <MenuItem icon={<BookmarkPlus />} onSelect={() => setDialog('note')}>
          Make a note
        </MenuItem>
        <MenuItem icon={<MessageCircleQuestion />} onSelect={() => setDialog('ask')}>
          Ask to share
        </MenuItem>
      </DropdownMenu>
      <Dialog
        isOpen={dialog === 'note'}
        onOpenChange={close}
        title="Make a note"
        description="For everyone who sings this melody."
      >
        <LazyBoundary
          part={NoteFromMarkForm}
          fallback={<Skeleton className="h-64 w-full" />}
          failure="The form could not be loaded."
          {...marked}
          onClose={close}
          onSaved={(words) => {
            toast({ title: 'Note saved' });
            setNotedWords(words);
            close();
          }}
        />
      </Dialog>
      <Dialog
        isOpen={dialog === 'ask'}
        onOpenChange={close}
        title="Ask to share this passage"
        description={<span {...getLangProps(title)}>{title}</span>}
      >
        <LazyBoundary
          part={AskForm}
          fallback={<Skeleton className="h-64 w-full" />}
          failure="The form could not be loaded."
          {...marked}
        />
      </Dialog>
      <p role="status" className="w-full px-2 text-sm text-jade-ink not-empty:pb-2">
        {notedWords !== null && (
          <>
            Note added to “<span {...getLangProps(notedWords)}>{notedWords}</span>”.
          </>
        )}
      </p>
    </>
  );
}
