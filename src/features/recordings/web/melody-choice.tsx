import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'wouter';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { Select } from '../../../platform/web/ui/field.tsx';
import type { Melody } from '../../melodies/contract.ts';
import { LayersOf, ReadOnlyText } from '../../melodies/web/sung-text/read-only-text.tsx';

/** The melody that is practised, from the address and back into it. */
export function useChosenMelody() {
  const melodies = useQuery(apiQuery('GET /api/melodies')).data ?? [];
  const [search, setSearch] = useSearchParams();
  const chosen = melodies.find(({ id }) => String(id) === search.get('melody')) ?? null;
  const choose = (id: string) => setSearch((before) => withMelody(before, id), { replace: true });
  return [chosen, choose] as const;
}

/** What else the address says stays, such as the way back to the player. */
function withMelody(before: URLSearchParams, id: string) {
  const next = new URLSearchParams(before);
  if (id === '') next.delete('melody');
  else next.set('melody', id);
  return next;
}

type MelodyChoiceProps = { value: Melody | null; onChange: (id: string) => void };

export function MelodyChoice({ value, onChange }: MelodyChoiceProps) {
  const { data = [], isPending } = useQuery(apiQuery('GET /api/melodies'));
  return (
    <Select
      label="Melody"
      isOptional
      value={value ? String(value.id) : ''}
      onChange={(event) => onChange(event.target.value)}
      hint="Its words will be shown while you sing."
    >
      <option value="">{isPending ? 'Loading...' : 'Not one from the library'}</option>
      {data.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </Select>
  );
}

type MelodyWordsProps = { melody: Melody | null; isRecording: boolean };

/** The words being sung, in sight of the recorder; while one sings, as much of them as there is room for. */
export function MelodyWords({ melody, isRecording }: MelodyWordsProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The page's own scrolling reaches all of them on a phone, with the recorder low on it.
    if (isRecording) section.current?.scrollIntoView({ block: 'start' });
  }, [isRecording]);
  if (!melody?.melodyText) return null;
  return (
    <div className="mb-5">
      <div className={clsx('mb-3 empty:hidden', isRecording && 'max-lg:hidden')}>
        <LayersOf text={melody.melodyText} />
      </div>
      <section
        ref={section}
        tabIndex={0}
        aria-label={`Words of ${melody.title}`}
        className={clsx(
          'scroll-mt-18 overflow-y-auto rounded-md border border-line bg-surface px-2 py-3 lg:max-h-[40vh]',
          !isRecording && 'max-lg:max-h-48',
        )}
      >
        <ReadOnlyText text={melody.melodyText} />
      </section>
    </div>
  );
}
