import type { z } from 'zod';

/** Error for a value that our own pages never send, such as an id that is not a number. */
export const INVALID_INPUT_MESSAGE = 'Something in this form isn’t valid. Please check it and try again.';

export const getMaxLengthMessage = (max: number) =>
  `This text is too long. The limit is ${max.toLocaleString('en')} characters.`;

/**
 * Returns the message for a zod issue whose schema has none. It does not name the field, because forms show it
 * beside the field.
 */
export const getDefaultIssueMessage: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'too_big' && issue.origin === 'string')
    return getMaxLengthMessage(Number(issue.maximum));
  if (issue.code === 'too_big' && isNumber(issue.origin))
    return `Please enter a number up to ${issue.maximum.toLocaleString('en')}.`;
  if (issue.code === 'too_small' && isNumber(issue.origin))
    return `Please enter a number that is ${issue.minimum.toLocaleString('en')} or higher.`;
  return INVALID_INPUT_MESSAGE;
};

const isNumber = (origin: string) => origin === 'number' || origin === 'int';
