import { useState } from 'react';

/** Announces a text to screen readers, invisibly, when it changes; the initial text is not announced. */
export function ScreenReaderAnnouncement({ text }: { text: string }) {
  const [last, setLast] = useState(text);
  const [hasChanged, setHasChanged] = useState(false);
  if (text !== last) {
    setLast(text);
    setHasChanged(true);
  }
  return (
    <p role="status" className="sr-only">
      {hasChanged && text}
    </p>
  );
}
