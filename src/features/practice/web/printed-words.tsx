import { useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { createResourceScope } from '#web/api/resource-scope.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { useRootClass } from '#web/ui/use-root-class.ts';
import type { NotesByLine } from '#features/teaching-notes/web/notes-by-line.ts';
import type { Layer } from '#features/lyrics/tags.ts';
import { useShownLayers } from '#features/lyrics/web/shown-layers.ts';
import type { TimedText } from '#features/lyrics/web/use-timed-text.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';

type PrintedWordsProps = { title: string; text: TimedText; notes?: NotesByLine | undefined };

/** While mounted, makes the browser print only this melody's words, however the user starts printing. */
export function PrintedWords({ title, text: { verses, present }, notes }: PrintedWordsProps) {
  const { teacherTitle } = usePageSettings();
  const shown = useShownLayers(present);
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const scope = createResourceScope();
    // The browser prints the DOM as it is when the listener returns, so React must render synchronously.
    scope.listen(window, 'beforeprint', () => flushSync(() => setIsPrinting(true)));
    scope.listen(window, 'afterprint', () => setIsPrinting(false));
    return () => scope.end();
  }, []);
  const isShown = isPrinting && verses.length > 0;
  useRootClass('only-printed-words', isShown);
  if (!isShown) return null;
  return createPortal(
    <article className="printed-words sung-text font-serif">
      <h1 {...getLangProps(title)} className="preserve-case">
        {title}
      </h1>
      {verses.map((verse) => (
        <ol key={verse[0]!.index}>
          {verse.map(({ index, parts }) => {
            const chosen = parts.filter(({ layer }) => shown.has(layer));
            // As on the screen, a line without any of the chosen layers is printed in full.
            return (
              <li key={index}>
                {(chosen.length > 0 ? chosen : parts).map(({ line, layer, lang, words }) => (
                  <p key={line} dir="auto" {...(lang && { lang })} className={layerClasses[layer]}>
                    {words}
                  </p>
                ))}
                {notes
                  ?.get(index)
                  ?.filter((note) => note.text !== '')
                  .map((note) => (
                    <p key={`note ${note.id}`} className="preserve-case printed-note">
                      <b>{teacherTitle}’s note</b> <span {...getLangProps(note.text)}>{note.text}</span>
                    </p>
                  ))}
              </li>
            );
          })}
        </ol>
      ))}
    </article>,
    document.body,
  );
}

const layerClasses: Record<Layer, string> = {
  tibetan: 'sung-tibetan',
  phonetics: '',
  translation: 'preserve-case printed-translation',
};
