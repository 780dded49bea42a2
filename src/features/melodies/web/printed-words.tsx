import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import type { Layer } from '../sung-text/tags.ts';
import { useSungText } from './sung-text/read-only-text.tsx';
import { useShownLayers } from './sung-text/shown-layers.ts';
import { langOf } from './tibetan.ts';

/** While it is there, printing prints the words of this melody and nothing else of the page. */
export function PrintedWords({ title, text }: { title: string; text: string }) {
  const { verses, present } = useSungText(text);
  const shown = useShownLayers(present);
  useEffect(() => {
    document.documentElement.classList.add('prints-words');
    return () => document.documentElement.classList.remove('prints-words');
  }, []);
  return createPortal(
    <article className="printed-words sung-text font-serif">
      <h1 {...langOf(title)} className="as-written">
        {title}
      </h1>
      {verses.map((verse) => (
        <ol key={verse[0]!.index}>
          {verse.map(({ index, parts }) => {
            const chosen = parts.filter(({ layer }) => shown.has(layer));
            // As on the screen, no sung line is left out.
            return (
              <li key={index}>
                {(chosen.length > 0 ? chosen : parts).map(({ line, layer, lang, words }) => (
                  <p key={line} dir="auto" {...(lang && { lang })} className={looks[layer]}>
                    {words}
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

const looks: Record<Layer, string> = {
  tibetan: 'sung-tibetan',
  phonetics: '',
  translation: 'as-written printed-translation',
};
