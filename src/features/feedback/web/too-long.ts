import { isTooLong } from '../../../platform/web/ui/text-limit.tsx';
import { MARK_TEXT_MAX, WRITTEN_FEEDBACK_MAX } from '../limits.ts';
import type { Written } from './draft/draft.ts';

/** Whether something of an answer is longer than can be sent; the field itself says so. */
export const isTooLongToSend = ({ text, marks }: Written) =>
  isTooLong(text, WRITTEN_FEEDBACK_MAX) || marks.some((mark) => isTooLong(mark.text, MARK_TEXT_MAX));

/** Takes focus to the first field that keeps an answer from being sent, be it in the form or among the marks above it. */
export const focusWhatIsWrong = (form: HTMLElement | null) =>
  (form?.closest('article') ?? form)?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
