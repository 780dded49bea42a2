import { Play, Square } from 'lucide-react';
import { type MouseEvent, useEffect, useState, useSyncExternalStore } from 'react';
import { AudioPlayer } from '../../../../platform/web/audio-ui/playback/audio-player.tsx';
import { PinNumber } from '../../../../platform/web/audio-ui/playback/mark-pins.tsx';
import { soundUrl } from '../../../../platform/web/audio-ui/playback/media-url.ts';
import { Announce } from '../../../../platform/web/ui/announce.tsx';
import { langOf } from '../../../melodies/web/tibetan.ts';
import type { Feedback, Mark } from '../../contract.ts';
import { placeOf } from '../../marks.ts';
import { MarkSounds, soundsAloud } from './mark-sounds.tsx';
import { apiQuery, queryClient } from '../../../../platform/web/query-client.ts';
import { lineAt, timedLinesOf } from './mark-lines.ts';
import { createMarkPlayer, type FindLine } from './mark-player.ts';
import { placeOfKey } from '../inbox/use-shortcuts.ts';

type MarkedRecordingProps = {
  recording: Pick<
    Feedback['recording'],
    'id' | 'audioUrl' | 'audioCopies' | 'duration' | 'peaks' | 'melodyId'
  >;
  marks: readonly Mark[];
  /** Name of the player. */
  title: string;
  hasSpeed?: boolean;
  /** After a passage, plays the same line of the melody, for the student whose recording it is. */
  leadsToMelody?: boolean;
  onAudio?: (audio: HTMLAudioElement | null) => void;
};

/** A recording with its marks; pressing a mark plays its passage, and pressing it again stops it. */
export function MarkedRecording({
  recording: { id, audioUrl, audioCopies, duration, peaks, melodyId },
  marks,
  title,
  hasSpeed = false,
  leadsToMelody = false,
  onAudio,
}: MarkedRecordingProps) {
  const { player, heard } = useMarkPlayer();
  const [takeAudio] = useState(() => (element: HTMLAudioElement | null) => {
    player.take(element);
    onAudio?.(element);
  });
  const findLine = leadsToMelody && melodyId !== null ? libraryLine(melodyId) : null;
  const press = (index: number) => marks[index] && player.press(index, marks[index], findLine);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <AudioPlayer
        {...{ id, title, duration, peaks, hasSpeed }}
        sound={{ name: audioUrl, copies: audioCopies }}
        pins={marks}
        onPin={press}
        onAudio={takeAudio}
      />
      {marks.length > 0 && (
        <ol aria-label={`Marks in ${title}`} className="grid gap-1">
          {marks.map((mark, index) => (
            <li key={index}>
              <MarkButton
                mark={mark}
                number={index + 1}
                isOn={heard.index === index && heard.sounds !== 'nothing'}
                onPress={() => press(index)}
              />
              {leadsToMelody && heard.index === index && (
                <MarkSounds
                  {...{ heard, melodyId }}
                  onHearMelody={(event) => {
                    player.pressLine();
                    focusMark(event);
                  }}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {leadsToMelody && marks.length > 0 && <Announce text={soundsAloud(heard)} />}
    </div>
  );
}

/** The pressed button disappears; focuses the one that stops playback. */
const focusMark = ({ currentTarget }: MouseEvent) =>
  currentTarget.closest('li')?.querySelector('button')?.focus();

type MarkButtonProps = { mark: Mark; number: number; isOn: boolean; onPress: () => void };

function MarkButton({ mark, number, isOn, onPress }: MarkButtonProps) {
  const Icon = isOn ? Square : Play;
  return (
    <button
      type="button"
      onClick={onPress}
      className="flex min-h-11 w-full items-baseline gap-3 rounded-md px-2 py-2 text-start hover:bg-sunk"
    >
      <PinNumber number={number} />
      <span className="grid min-w-0 gap-x-3 sm:flex sm:items-baseline">
        <span className="inline-flex shrink-0 items-center gap-1.5 text-sm font-semibold text-saffron-ink tabular-nums">
          <Icon aria-hidden="true" className="size-3.5" />
          <span className="sr-only">{isOn ? 'Stop ' : 'Play '}</span>
          {placeOf(mark)}
        </span>
        {mark.text !== '' && (
          <span {...langOf(mark.text)} className="min-w-0 font-serif break-words">
            <span className="sr-only"> – </span>
            {mark.text}
          </span>
        )}
      </span>
    </button>
  );
}

/**
 * Lines of a melody as the library returns them to the current user. Fetched each time, so that nothing is played that
 * was revoked, deleted or retimed since. Rejects when the library does not respond.
 */
const libraryLine =
  (melodyId: number): FindLine =>
  async (melodyAt) => {
    const melody = await queryClient.fetchQuery({
      ...apiQuery('GET /api/melodies/{id}', { params: { id: melodyId } }),
      staleTime: 0,
    });
    const line = lineAt(timedLinesOf(melody), melodyAt);
    if (!line || !melody.audioUrl) return null;
    const { words, start, end } = line;
    return { words, start, end, src: soundUrl({ name: melody.audioUrl, copies: melody.audioCopies }) };
  };

/** A {@link createMarkPlayer} for one recording; pass `take` to its player as `onAudio`. */
function useMarkPlayer() {
  const [player] = useState(() => createMarkPlayer());
  const heard = useSyncExternalStore(player.subscribe, player.getSnapshot, player.getSnapshot);
  const isOn = heard.sounds !== 'nothing';

  // Some browsers do not focus a button that is pressed, so Space would not reach it.
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== ' ' || event.defaultPrevented || placeOfKey(event.target) !== 'page') return;
      event.preventDefault();
      player.stop();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [player, isOn]);

  return { player, heard };
}
