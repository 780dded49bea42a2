import { focusFirstInvalid } from '#web/forms/use-form.ts';
import { isTextTooLong } from '#web/ui/text-limit.tsx';
import { MAX_MARK_TEXT_LENGTH, MAX_WRITTEN_FEEDBACK_LENGTH } from '../limits.ts';
import type { WrittenReply } from './draft/written-reply.ts';

/**
 * Returns whether the text or a mark of a reply is too long to send. The field that is too long shows an error.
 */
export const isTooLongToSend = ({ text, marks }: WrittenReply) =>
  isTextTooLong(text, MAX_WRITTEN_FEEDBACK_LENGTH) ||
  marks.some((mark) => isTextTooLong(mark.text, MAX_MARK_TEXT_LENGTH));

/** Focuses the first invalid field, in the form or among the marks above it. */
export const focusFirstInvalidReplyField = (form: HTMLElement | null) =>
  focusFirstInvalid(form?.closest('article') ?? form);
