import { clsx } from 'clsx';
import { Headphones, Mic, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { addInMemoryTake, useInMemoryTakes } from '#features/recordings/web/recorder/in-memory-takes.ts';
import { isRecordingInProgress } from '#features/recordings/web/recorder/storing-recorder.ts';
import { MicrophoneProblemNotice } from '#features/recordings/web/recorder/microphone-problem-notice.tsx';
import {
  INSECURE_PAGE_MESSAGE,
  notStoredMessages,
  getRecorderStatusText,
} from '#features/recordings/web/recorder/recorder-messages.ts';
import { getRecorderStartOptions } from '#features/recordings/web/recorder/recorder-settings.ts';
import { useRecorder } from '#features/recordings/web/recorder/use-recorder.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { playPassageOnce } from '../engine/play-passage-once.ts';
import { browserClock } from '../engine/player-environment.ts';
import type { PracticePlayer } from '../engine/practice-player.ts';
import { useUser } from '#web/api/session.ts';
import {
  createRecordingWriter,
  type RecordingWriterProblem,
} from '#features/recordings/web/takes/recording-writer.ts';
import { findUnlockedTakes } from '#features/recordings/web/takes/take-locks.ts';
import { getTakeStore, useTakes } from '#features/recordings/web/takes/use-takes.ts';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { Button } from '#web/ui/button.tsx';
import { formatDuration } from '#web/ui/format-duration.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';
import { useNavigationBlock } from '#web/navigation/use-navigation-block.ts';
import { useWarningBeforeLeaving } from '#web/navigation/warning-before-leaving.ts';
import type { MelodySummary } from '#features/melodies/contract.ts';
import type { LoopedLines } from '#features/lyrics/web/line-loops.ts';
import { formatPassage } from '../player-messages.ts';
import { SegmentButton, segmentGroupClass } from '../segment-button.tsx';
import { usePlayerSnapshot } from '../use-practice-player.ts';
import {
  MAX_PRACTICE_TAKES,
  parseTakePassage,
  getPracticeTakePurpose,
  serializeTakePassage,
  type TakePassage,
} from './practice-take.ts';
import { type OwnTake, OwnTakeItem } from './own-take-item.tsx';

/** Time for which recording continues after the passage, so that the last note can ring out. */
const TAIL_MS = 1_000;

type SingAndComparePanelProps = {
  player: PracticePlayer;
  /** The audio element that plays the melody, muted while the student sings without the teacher. */
  sound: HTMLMediaElement;
  melody: MelodySummary;
  looped: LoopedLines | null;
};

/**
 * Records the student singing the loop, or the whole melody, to compare it with the teacher. The takes are
 * private.
 */
export default function SingAndComparePanel({ player, sound, melody, looped }: SingAndComparePanelProps) {
  const { id: userId } = useUser();
  const { teacherTitle } = usePageSettings();
  const { loop, length, rate } = usePlayerSnapshot(player);
  const passage = loop.kind === 'active' ? { a: loop.a, b: loop.b } : { a: 0, b: length };
  const takes = useOwnTakes(userId, melody.id);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [hearsTeacher, setHearsTeacher] = useState(false);
  const [problem, setProblem] = useState<RecordingWriterProblem | null>(null);
  const singButton = useRef<HTMLButtonElement>(null);
  const removedId = useRef<string | null>(null);
  const chosen = takes.find(({ id }) => id === chosenId) ?? takes.at(-1) ?? null;
  /** Passage that the current take covers. */
  const sung = useRef<TakePassage>({ ...passage, rate, offset: 0 });

  const purpose = getPracticeTakePurpose(melody.id);
  const holdTakeInPage = (audio: ChosenAudio) =>
    addInMemoryTake({ userId, purpose, sending: serializeTakePassage(sung.current), audio });
  const recorder = useRecorder({
    storeRecording(name, onProblem) {
      const take = { userId, purpose, origin: 'recorded', name, type: 'audio/wav' } as const;
      const writer = createRecordingWriter(
        getTakeStore(),
        { ...take, sending: serializeTakePassage(sung.current) },
        onProblem,
      );
      // Stores the passage again when the take ends, because its offset is known only once the melody has
      // started.
      return {
        ...writer,
        finish: (facts) => writer.finish({ ...facts, sending: serializeTakePassage(sung.current) }),
      };
    },
    onProblem: setProblem,
    onActivityChange: () => undefined,
    onTake: (audio) => setChosenId((audio.kept ?? holdTakeInPage(audio)).id),
    onLeft: holdTakeInPage,
  });
  const isSinging = isRecordingInProgress(recorder);
  const notStored = isSinging ? problem : chosen && 'audio' in chosen && chosen.audio.notKept;
  // Removes the remaining time from the status, because it counts down to the recorder's limit, not to the end
  // of the passage.
  const doing = getRecorderStatusText(recorder).replace(/ · .*/, '');
  useNavigationBlock(isSinging);
  useWarningBeforeLeaving(isSinging);
  useMelodyGuide({ player, sound, recorder, sung, hearsHer: hearsTeacher });

  // Moves focus after a take is deleted, because the pressed button disappears with the take.
  useEffect(() => {
    if (removedId.current === null || takes.some(({ id }) => id === removedId.current)) return;
    removedId.current = null;
    singButton.current?.focus();
  });

  const sing = () => {
    setProblem(null);
    sung.current = { ...passage, rate, offset: 0 };
    player.pause();
    recorder.start(getRecorderStartOptions());
  };

  if (!isSecureContext) return <Notice tone="amber">{INSECURE_PAGE_MESSAGE}</Notice>;
  const hears = `Hear ${teacherTitle} while I sing (use headphones)`;
  const isFull = takes.length >= MAX_PRACTICE_TAKES;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 desk:flex desk:flex-wrap desk:items-center desk:pe-12">
      <div className="flex flex-wrap items-center gap-2 pe-10 desk:grow desk:pe-0">
        {/* A single button for all states, so that it keeps focus. */}
        <Button
          ref={singButton}
          variant={chosen && !isSinging ? 'secondary' : 'primary'}
          icon={isSinging ? <Square /> : <Mic />}
          isInactive={!isSinging && (length === 0 || isFull)}
          onClick={isSinging ? recorder.stop : sing}
          className="shrink-0 px-3! whitespace-nowrap"
        >
          {isSinging ? 'Done' : chosen ? 'Record again' : 'Record'}
        </Button>
        {!isSinging && (
          <div className={clsx(segmentGroupClass, 'shrink-0')}>
            <Tooltip text={hears}>
              <SegmentButton
                aria-label={hears}
                aria-pressed={hearsTeacher}
                isChosen={hearsTeacher}
                onClick={() => setHearsTeacher(!hearsTeacher)}
              >
                <Headphones />
              </SegmentButton>
            </Tooltip>
          </div>
        )}
        <p className="min-w-0 grow basis-36 text-sm leading-tight">
          {isSinging ? (
            <span className="flex items-center gap-2 font-semibold text-danger">
              <span
                aria-hidden="true"
                className="forced-highlight size-3 shrink-0 rounded-full bg-danger"
                style={{ transform: `scale(${1 + recorder.level})` }}
              />
              {recorder.state === 'counting' ? recorder.count : formatDuration(recorder.seconds)} · {doing}
            </span>
          ) : isFull ? (
            `You have ${MAX_PRACTICE_TAKES} recordings here. Delete one first.`
          ) : (
            <>
              <span className="font-semibold">{formatPassage(loop, looped)}</span>
              {!chosen && (
                <span className="block text-soft">
                  {loop.kind === 'active'
                    ? 'Only for you; stays on this device'
                    : 'To record only one line, loop it first.'}
                </span>
              )}
            </>
          )}
        </p>
      </div>
      {chosen && !isSinging && (
        <>
          {takes.length > 1 && (
            <select
              aria-label="Your recordings"
              value={chosen.id}
              onChange={({ target }) => setChosenId(target.value)}
              className="h-11 min-w-0 rounded-md border border-edge bg-surface px-2 text-sm"
            >
              {[...takes].reverse().map((take) => (
                <option key={take.id} value={take.id}>
                  {formatTakeName(take)}
                </option>
              ))}
            </select>
          )}
          <OwnTakeItem
            key={chosen.id}
            {...{ take: chosen, player, melody }}
            onRemove={() => (removedId.current = chosen.id)}
          />
        </>
      )}
      {recorder.problem && <MicrophoneProblemNotice problem={recorder.problem} />}
      {notStored && (
        <p role="status" className="text-sm font-semibold text-danger">
          {notStoredMessages[notStored]}
        </p>
      )}
      <ScreenReaderAnnouncement text={isSinging ? doing : ''} />
    </div>
  );
}

/**
 * Plays the passage as soon as the recorder receives audio, muted unless `hearsHer`, and ends the take after
 * the passage.
 */
function useMelodyGuide({ player, sound, recorder, sung, hearsHer }: GuideOptions) {
  const { state, seconds, stop } = recorder;
  const isRecordingAudio = state === 'recording' && seconds > 0;
  useEffect(() => {
    if (!isRecordingAudio) return;
    const began = performance.now() - seconds * 1000;
    let ringing: ReturnType<typeof setTimeout> | undefined;
    const wasMuted = sound.muted;
    sound.muted = !hearsHer;
    const stopMelody = playPassageOnce({
      ...{ player, clock: browserClock, passage: sung.current },
      onRunning() {
        const { a, rate } = sung.current;
        const offset = (performance.now() - began) / 1000 - (player.position() - a) / rate;
        sung.current = { ...sung.current, offset: Math.max(0, offset) };
      },
      onEnd: () => (ringing = setTimeout(stop, TAIL_MS)),
    });
    return () => {
      clearTimeout(ringing);
      stopMelody();
      sound.muted = wasMuted;
    };
    // Runs only when recording starts or ends, because the settings from the start of the take apply until its
    // end.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isRecordingAudio]);
}

type GuideOptions = {
  player: PracticePlayer;
  sound: HTMLMediaElement;
  recorder: ReturnType<typeof useRecorder>;
  sung: { current: TakePassage };
  hearsHer: boolean;
};

/**
 * Returns the practice takes of a melody, oldest first. Includes takes that were cut off, unless a tab is still
 * recording them.
 */
function useOwnTakes(userId: string, melodyId: number): readonly OwnTake[] {
  const takes = useTakes(getPracticeTakePurpose(melodyId));
  const inPage = useInMemoryTakes(userId, getPracticeTakePurpose(melodyId));
  const [free, setFree] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    let isHere = true;
    const unfinishedIds = (takes ?? []).filter(({ state }) => state === 'recording').map(({ id }) => id);
    if (unfinishedIds.length > 0) void findUnlockedTakes(unfinishedIds).then((ids) => isHere && setFree(ids));
    return () => {
      isHere = false;
    };
  }, [takes]);
  const stored = (takes ?? []).filter(({ id, state }) => state === 'recorded' || free.has(id));
  return [...stored, ...inPage].sort((a, b) => a.createdAt - b.createdAt);
}

/** Formats a take as 'Nov 23, 2:02 PM · 0:10 – 0:15'. Omits the passage if it is unknown. */
function formatTakeName(take: OwnTake) {
  const createdAt = new Date(take.createdAt);
  const when = createdAt.toLocaleString('en', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
  const passage = parseTakePassage(take);
  return passage === null ? when : `${when} · ${formatDuration(passage.a)} – ${formatDuration(passage.b)}`;
}
