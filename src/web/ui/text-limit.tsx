/** Surrounding whitespace is not sent, so it does not count. */
const getTextLength = (text: string) => text.trim().length;

export const isTextTooLong = (text: string, limit: number) => getTextLength(text) > limit;

const NUMBER = new Intl.NumberFormat('en');

/** Returns the error for a field whose text is too long; null otherwise. */
export function getTooLongMessage(text: string, limit: number): string | null {
  const over = getTextLength(text) - limit;
  if (over <= 0) return null;
  return `${NUMBER.format(over)} character${over === 1 ? '' : 's'} too long. The limit is ${NUMBER.format(limit)}.`;
}

/**
 * Shows how full a field is, from nine tenths of the limit up to the limit. Nothing is cut off: typed or
 * pasted text stays as it is, but the form does not send a text that is too long. Screen readers announce
 * only when the field becomes almost full or too full, not each letter.
 */
export function CharacterCounter({ text, limit }: { text: string; limit: number }) {
  const length = getTextLength(text);
  const isNear = length >= limit * 0.9;
  return (
    <>
      {isNear && length <= limit && (
        <p aria-hidden="true" className="mt-1.5 text-sm text-soft tabular-nums">
          {NUMBER.format(length)} of {NUMBER.format(limit)} characters
        </p>
      )}
      {/* Always present, because screen readers announce only changes to an existing status. */}
      <p role="status" className="sr-only">
        {length > limit
          ? `Too long. The limit is ${NUMBER.format(limit)} characters.`
          : isNear && `Almost full. The limit is ${NUMBER.format(limit)} characters.`}
      </p>
    </>
  );
}
