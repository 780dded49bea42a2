import { useEffect, useState } from 'react';

/** Says a sentence to screen readers, unseen, when it changes; not the one it begins with. */
export function Announce({ text }: { text: string }) {
  const [first] = useState(text);
  const [said, setSaid] = useState('');
  useEffect(() => setSaid(text === first ? '' : text), [text, first]);
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}
