import { focusFirstInvalid } from '#web/forms/use-form.ts';
import { isTooLong } from '#web/ui/text-limit.tsx';
import { MARK_TEXT_MAX, WRITTEN_FEEDBACK_MAX } from '../limits.ts';
import type { Written } from './draft/draft.ts';

/** Whether any part of a reply is too long to send; its field shows that. */
export const isTooLongToSend = ({ text, marks }: Written) =>
  isTooLong(text, WRITTEN_FEEDBACK_MAX) || marks.some((mark) => isTooLong(mark.text, MARK_TEXT_MAX));

/** Focuses the first invalid field, in the form or among the marks above it. */
export const focusWhatIsWrong = (form: HTMLElement | null) =>
  focusFirstInvalid(form?.closest('article') ?? form);
