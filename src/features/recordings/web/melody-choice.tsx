import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { Select } from '../../../platform/web/ui/field.tsx';
import type { Melody } from '../../melodies/contract.ts';
import { LayersOf, ReadOnlyText } from '../../melodies/web/sung-text/read-only-text.tsx';
import { IN_MIND } from './after-feedback.tsx';
import type { ChosenMelody } from './chosen-melody.ts';

type MelodyChoiceProps = { melody: ChosenMelody; onChange: (id: number | null) => void };

export function MelodyChoice({ melody: { id, library }, onChange }: MelodyChoiceProps) {
  const isHere = typeof library !== 'string';
  return (
    <Select
      label="Melody"
      isOptional
      value={id === null ? '' : String(id)}
      onChange={({ target: { value } }) => onChange(value === '' ? null : Number(value))}
      hint={library === 'missing' ? missing(id !== null) : 'Its words will be shown while you sing.'}
    >
      <option value="">
        {library === 'loading' && id === null ? 'Loading...' : 'Not one from the library'}
      </option>
      {isHere
        ? library.map((melody) => (
            <option key={melody.id} value={melody.id}>
              {melody.title}
            </option>
          ))
        : id !== null && (
            <option value={id}>{library === 'loading' ? 'Loading...' : 'The melody you came from'}</option>
          )}
    </Select>
  );
}

const missing = (isChosen: boolean) =>
  `The library could not be loaded just now. ${isChosen ? 'Your recording will belong to this melody all the same.' : 'You can record all the same.'}`;

/** As a fraction of the screen's height. */
const ROOM_FOR_WHAT_WAS_SAID = 0.4;

type MelodyWordsProps = { melody: Melody | null; isRecording: boolean };

/** The sung text, within sight of the recorder; while recording, as much of it as fits. */
export function MelodyWords({ melody, isRecording }: MelodyWordsProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isRecording) return;
    // On a phone, all words can be reached by scrolling the page, with the recorder at the bottom. The teacher's
    // feedback stays in sight above the words, if that leaves room for them.
    const said = document.getElementById(IN_MIND);
    const hasRoom = said !== null && said.offsetHeight < innerHeight * ROOM_FOR_WHAT_WAS_SAID;
    (hasRoom ? said : section.current)?.scrollIntoView({ block: 'start' });
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
