import { useState } from 'react';

/** Says a sentence to screen readers, unseen, when it changes; not the one it begins with. */
export function Announce({ text }: { text: string }) {
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
