import { ChevronDown, NotebookPen } from 'lucide-react';
import { type ReactNode, type RefObject, useState } from 'react';
import { TextField } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { MAX_RECORDING_MESSAGE_LENGTH, MAX_RECORDING_TITLE_LENGTH } from '#features/recordings/limits.ts';
import type { useSubmissionFields } from './use-submission-fields.ts';

type TitleAndMessageFieldsProps = {
  fields: ReturnType<typeof useSubmissionFields>;
  titleProblem: string | undefined;
  titleField: RefObject<HTMLInputElement | null>;
  messageField: RefObject<HTMLTextAreaElement | null>;
  /** Whether there is room for the fields beside the recorder. */
  hasRoom: boolean;
  /** The melody selector, if the page was opened for a melody. */
  children: ReactNode;
};

/**
 * The title and message sent with the take. Without room beside the recorder, they are collapsed as long as
 * the melody provides the title and the student has not expanded them or typed anything.
 */
export function TitleAndMessageFields({
  fields,
  titleProblem,
  titleField,
  messageField,
  hasRoom,
  children,
}: TitleAndMessageFieldsProps) {
  const [isChosen, setIsChosen] = useState<boolean | null>(null);
  const { title, message, isTyped, isTitleAwaited } = fields;
  const isNeeded = title.trim() === '' && !isTitleAwaited;
  const isOpen = isChosen ?? (hasRoom || isNeeded || isTyped);
  return (
    <details
      open={isOpen}
      // The event also fires when a render changes `open`. This does not count as the student's choice.
      onToggle={({ currentTarget: { open } }) => open !== isOpen && setIsChosen(open)}
      className="group"
    >
      <summary className="-mx-2 flex min-h-12 list-none items-center gap-3 rounded-md px-2 [&::-webkit-details-marker]:hidden">
        <NotebookPen className="size-5 shrink-0" />
        <span className="grow">
          <span className="font-semibold">Add a note</span>{' '}
          <span className="text-sm text-soft">title, message{children && ', melody'}</span>
        </span>
        <ChevronDown className="size-5 shrink-0 group-open:rotate-180" />
      </summary>
      <div className="grid gap-5 pt-3">
        <TextField
          ref={titleField}
          label="Title"
          aria-required
          limit={MAX_RECORDING_TITLE_LENGTH}
          autoComplete="off"
          value={title}
          onChange={(event) => fields.typeTitle(event.target.value)}
          error={titleProblem}
        />
        <TextArea
          ref={messageField}
          label="Message"
          isOptional
          rows={3}
          limit={MAX_RECORDING_MESSAGE_LENGTH}
          value={message}
          onChange={(event) => fields.typeMessage(event.target.value)}
          hint="Anything you’d like your teacher to know or listen for."
        />
        {children}
      </div>
    </details>
  );
}

/** Expands the element that contains a field, and focuses the field. */
export function focusCollapsibleField(field: HTMLElement | null) {
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
}
