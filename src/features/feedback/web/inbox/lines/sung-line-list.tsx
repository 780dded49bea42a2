import { clsx } from 'clsx';
import { SlidersHorizontal } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { getLineLabel, PassageLabel, type SungPassagesProps } from './passage-label.tsx';

/** Lists the lines one below the other. Used if there is no room for a strip. */
export function SungLineList({ passages, current, onPlay, selected, onSelect }: SungPassagesProps) {
  const list = useRef<HTMLOListElement>(null);
  const key = current?.key;
  useEffect(() => {
    const box = list.current;
    const row = box?.querySelector<HTMLElement>('[data-current]');
    // Scrolls only the list. scrollIntoView would also scroll the page.
    if (box && row && key) box.scrollTo({ top: row.offsetTop - (box.clientHeight - row.clientHeight) / 2 });
  }, [key]);
  return (
    <ol
      ref={list}
      aria-label="Lines as they are sung"
      className="relative max-h-49 overflow-y-auto rounded-md border border-line desk:max-h-25"
    >
      {passages.map((passage) => {
        const isCurrent = passage.key === key;
        const { words } = passage.melody;
        return (
          <li
            key={passage.key}
            data-current={isCurrent || undefined}
            className={clsx(
              'flex items-center border-s-3 not-last:border-b not-last:border-b-line',
              isCurrent && passage.isSure
                ? 'border-s-saffron bg-saffron-ground text-saffron-ink'
                : 'border-s-transparent',
            )}
          >
            <button
              type="button"
              aria-current={isCurrent || undefined}
              onClick={() => onPlay(passage)}
              className="flex min-h-12 min-w-0 grow items-baseline gap-3 px-2.5 py-2 text-start -outline-offset-2"
            >
              <span aria-hidden="true" className="w-5 shrink-0 text-end text-sm text-soft tabular-nums">
                {passage.melody.index + 1}
              </span>
              <span
                {...(passage.isSure && getLangProps(words))}
                className="min-w-0 font-serif text-base leading-snug break-words"
              >
                <PassageLabel passage={passage} />
              </span>
            </button>
            <IconButton
              label={`Change where ${getLineLabel(passage)} starts`}
              icon={<SlidersHorizontal />}
              aria-expanded={selected?.key === passage.key}
              onClick={() => onSelect(selected?.key === passage.key ? null : passage)}
            />
          </li>
        );
      })}
    </ol>
  );
}
