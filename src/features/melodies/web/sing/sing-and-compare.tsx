import { clsx } from 'clsx';
import { Headphones, Mic, Square, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { ChosenAudio } from '../../../../platform/web/audio-ui/upload/chosen-audio.ts';
import { keptAudio } from '../../../../platform/web/audio-ui/upload/kept-audio.ts';
import { isRecording } from '../../../../platform/web/audio-ui/recording/kept-recorder.ts';
import { MicrophoneProblem } from '../../../../platform/web/audio-ui/recording/microphone-problem.tsx';
import { INSECURE, statusLine } from '../../../../platform/web/audio-ui/recording/recorder-messages.ts';
import { startOptions } from '../../../../platform/web/audio-ui/recording/recorder-settings.ts';
import { useRecorder } from '../../../../platform/web/audio-ui/recording/use-recorder.ts';
import { useSettings } from '../../../../platform/web/page-data.ts';
import { browserClock } from '../../../../platform/web/player/player-environment.ts';
import type { PracticePlayer } from '../../../../platform/web/player/practice-player.ts';
import { useUser } from '../../../../platform/web/session.ts';
import { createRecordingWriter } from '../../../../platform/web/takes/recording-writer.ts';
import type { StoredRecording } from '../../../../platform/web/takes/stored-recording.ts';
import { notHeld } from '../../../../platform/web/takes/take-locks.ts';
import { removeTake, takeStore, useTakes } from '../../../../platform/web/takes/use-takes.ts';
import { ConfirmDialog } from '../../../../platform/web/ui/alert-dialog.tsx';
import { Announce } from '../../../../platform/web/ui/announce.tsx';
import { Button } from '../../../../platform/web/ui/button.tsx';
import { duration } from '../../../../platform/web/ui/duration.ts';
import { IconButton } from '../../../../platform/web/ui/icon-button.tsx';
import { Notice } from '../../../../platform/web/ui/notice.tsx';
import { Tooltip } from '../../../../platform/web/ui/tooltip.tsx';
import { useNavigationBlock } from '../../../../platform/web/use-navigation-block.ts';
import { submitTake } from '../../../recordings/web/practice-again.ts';
import { RECORDING } from '../../../recordings/web/queue.ts';
import type { MelodySummary } from '../../contract.ts';
import type { LoopedLines } from '../sung-text/line-loops.ts';
import { passageText } from '../player/player-messages.ts';
import { Segment, segments } from '../player/segments.tsx';
import { usePlayerSnapshot } from '../player/use-practice-player.ts';
import { createComparison, type Voice } from './comparison.ts';
import { playOnce } from './guide.ts';
import { MOST_TAKES, passageOf, practiceOf, sungAs, type SungPassage } from './practice-take.ts';

/** The last note may ring. */
const RINGS_MS = 1_000;

type SingAndCompareProps = {
  player: PracticePlayer;
  /** The melody's own element, which is silent while one sings without her. */
  sound: HTMLMediaElement;
  melody: MelodySummary;
  looped: LoopedLines | null;
};

/** Records oneself over the loop, or the whole melody, for oneself alone: to hear the teacher, oneself, and both. */
export default function SingAndCompare({ player, sound, melody, looped }: SingAndCompareProps) {
  const { id: userId } = useUser();
  const { teacherTitle } = useSettings();
  const { loop, length, rate } = usePlayerSnapshot(player);
  const passage = loop.kind === 'active' ? { a: loop.a, b: loop.b } : { a: 0, b: length };
  const takes = useOwnTakes(melody.id);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [hearsHer, setHearsHer] = useState(false);
  const [unkept, setUnkept] = useState(false);
  const chosen = takes.find(({ id }) => id === chosenId) ?? takes.at(-1) ?? null;
  /** Of the take that is being sung. */
  const sung = useRef<SungPassage>({ ...passage, rate, offset: 0 });

  const recorder = useRecorder({
    keepRecording: (name, onProblem) =>
      createRecordingWriter(
        takeStore(),
        {
          ...{ userId, purpose: practiceOf(melody.id), origin: 'recorded', name, type: 'audio/wav' },
          sending: sungAs(sung.current),
        },
        onProblem,
      ),
    onProblem: () => setUnkept(true),
    onActivityChange: () => undefined,
    onTake({ kept }) {
      if (!kept) return setUnkept(true);
      setChosenId(kept.id);
      void takeStore().change(kept.id, { sending: sungAs(sung.current) });
    },
  });
  const isSinging = isRecording(recorder);
  // Without the time that is left, which is the recorder's and not the passage's.
  const doing = statusLine(recorder).replace(/ · .*/, '');
  useNavigationBlock(isSinging);
  useGuide({ player, sound, recorder, sung, hearsHer });

  const sing = () => {
    setUnkept(false);
    sung.current = { ...passage, rate, offset: 0 };
    player.pause();
    recorder.start(startOptions());
  };

  if (!isSecureContext) return <Notice tone="amber">{INSECURE}</Notice>;
  const hears = `Hear ${teacherTitle} while I sing, with headphones`;
  const isFull = takes.length >= MOST_TAKES;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 desk:flex desk:flex-wrap desk:items-center desk:pe-12">
      <div className="flex items-center gap-2 pe-10 desk:grow desk:pe-0">
        {isSinging ? (
          <Button variant="primary" icon={<Square aria-hidden="true" />} onClick={recorder.stop}>
            Done
          </Button>
        ) : (
          <>
            <Button
              variant={chosen ? 'secondary' : 'primary'}
              icon={<Mic aria-hidden="true" />}
              disabled={length === 0 || isFull}
              onClick={sing}
              className="shrink-0 px-3! whitespace-nowrap"
            >
              {chosen ? 'Sing again' : 'Sing'}
            </Button>
            <div className={clsx(segments, 'shrink-0')}>
              <Tooltip text={hears}>
                <Segment
                  aria-label={hears}
                  aria-pressed={hearsHer}
                  isChosen={hearsHer}
                  onClick={() => setHearsHer(!hearsHer)}
                >
                  <Headphones aria-hidden="true" />
                </Segment>
              </Tooltip>
            </div>
          </>
        )}
        <p className="min-w-0 grow text-sm leading-tight">
          {isSinging ? (
            <span className="flex items-center gap-2 font-semibold text-danger">
              <span
                aria-hidden="true"
                className="chosen size-3 shrink-0 rounded-full bg-danger"
                style={{ transform: `scale(${1 + recorder.level})` }}
              />
              {recorder.state === 'counting' ? recorder.count : duration(recorder.seconds)} · {doing}
            </span>
          ) : isFull ? (
            `${MOST_TAKES} takes are kept here. Let one go first.`
          ) : (
            <>
              <span className="font-semibold">{passageText(loop, looped)}</span>
              {!chosen && <span className="block text-soft">For yourself alone, kept on this device</span>}
            </>
          )}
        </p>
      </div>
      {chosen && !isSinging && (
        <>
          {takes.length > 1 && (
            <select
              aria-label="Your takes"
              value={chosen.id}
              onChange={({ target }) => setChosenId(target.value)}
              className="h-11 min-w-0 rounded-md border border-edge bg-surface px-2 text-sm"
            >
              {[...takes].reverse().map((take) => (
                <option key={take.id} value={take.id}>
                  {nameOf(take)}
                </option>
              ))}
            </select>
          )}
          <Take key={chosen.id} {...{ take: chosen, player, melody }} />
        </>
      )}
      {recorder.problem && <MicrophoneProblem problem={recorder.problem} />}
      {unkept && (
        <p role="status" className="text-sm font-semibold text-danger">
          This device could not keep it. Please make room on it, and sing again.
        </p>
      )}
      <Announce text={isSinging ? doing : ''} />
    </div>
  );
}

type TakeProps = { take: StoredRecording; player: PracticePlayer; melody: MelodySummary };

/** One take: to hear it beside the teacher, to submit it, or to let it go. */
function Take({ take, player, melody }: TakeProps) {
  const { teacherTitle } = useSettings();
  const audio = useStoredAudio(take);
  const [isAsking, setIsAsking] = useState(false);
  const passage = passageOf(take);
  const [voice, play] = useComparison(player, audio?.blob ?? null, passage);
  const submit = async () => {
    const sending = { title: melody.title, message: '', melodyId: melody.id };
    if (await takeStore().change(take.id, { purpose: RECORDING, sending }))
      navigate(submitTake(melody.id, take.id));
  };
  const voices = { hers: teacherTitle, mine: 'Mine', both: 'Both' } as const;
  return (
    <>
      <div className="flex flex-wrap items-center gap-1 desk:gap-2">
        <div role="group" aria-label="What is heard" className={segments}>
          {(['hers', 'mine', 'both'] as const).map((each) => (
            <Segment
              key={each}
              aria-pressed={voice === each}
              isChosen={voice === each}
              disabled={!audio || (passage === null && each !== 'mine')}
              onClick={() => play(voice === each ? null : each)}
              className="px-3"
            >
              {voices[each]}
            </Segment>
          ))}
        </div>
        <Button disabled={!audio} onClick={() => void submit()} className="px-3!">
          Submit
        </Button>
        <IconButton
          label="Let it go"
          icon={<Trash2 aria-hidden="true" />}
          onClick={() => setIsAsking(true)}
          className="min-w-11!"
        />
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        sentence="Let this take go?"
        note="It is on this device only, and would be gone."
        confirmLabel="Let it go"
        cancelLabel="Keep it"
        isDangerous
        onConfirm={() => {
          setIsAsking(false);
          void removeTake(take.id);
        }}
      />
    </>
  );
}

/** Runs the melody along from the moment that something is recorded, and ends the take after it. */
function useGuide({ player, sound, recorder, sung, hearsHer }: GuideOptions) {
  const { state, seconds, stop } = recorder;
  const isTaking = state === 'recording' && seconds > 0;
  useEffect(() => {
    if (!isTaking) return;
    const began = performance.now() - seconds * 1000;
    let ringing: ReturnType<typeof setTimeout> | undefined;
    const wasMuted = sound.muted;
    sound.muted = !hearsHer;
    const breakOff = playOnce({
      ...{ player, clock: browserClock, passage: sung.current },
      onRunning() {
        const { a, rate } = sung.current;
        const offset = (performance.now() - began) / 1000 - (player.position() - a) / rate;
        sung.current = { ...sung.current, offset: Math.max(0, offset) };
      },
      onEnd: () => (ringing = setTimeout(stop, RINGS_MS)),
    });
    return () => {
      clearTimeout(ringing);
      breakOff();
      sound.muted = wasMuted;
    };
    // What was chosen as it began holds until it ends.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isTaking]);
}

type GuideOptions = {
  player: PracticePlayer;
  sound: HTMLMediaElement;
  recorder: ReturnType<typeof useRecorder>;
  sung: { current: SungPassage };
  hearsHer: boolean;
};

/** Takes of a melody for practice, oldest first; also those that were cut off, unless a tab is making them. */
function useOwnTakes(melodyId: number): readonly StoredRecording[] {
  const takes = useTakes(practiceOf(melodyId));
  const [free, setFree] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    let isHere = true;
    const begun = (takes ?? []).filter(({ state }) => state === 'recording').map(({ id }) => id);
    if (begun.length > 0) void notHeld(begun).then((ids) => isHere && setFree(ids));
    return () => {
      isHere = false;
    };
  }, [takes]);
  return (takes ?? []).filter(({ id, state }) => state === 'recorded' || free.has(id));
}

/** Null until it is read from the device. */
function useStoredAudio(take: StoredRecording) {
  const [audio, setAudio] = useState<ChosenAudio | null>(null);
  useEffect(() => {
    let isHere = true;
    keptAudio(takeStore(), take).then(
      (read) => isHere && setAudio(read),
      () => undefined,
    );
    return () => {
      isHere = false;
    };
    // Its sound stays the same.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [take.id, take.state]);
  return audio;
}

function useComparison(player: PracticePlayer, blob: Blob | null, passage: SungPassage | null) {
  const [voice, setVoice] = useState<Voice | null>(null);
  const [comparison, setComparison] = useState<ReturnType<typeof createComparison> | null>(null);
  const { a, b, rate, offset } = passage ?? { a: 0, b: 0, rate: 1, offset: 0 };
  useEffect(() => {
    if (!blob) return;
    const address = URL.createObjectURL(blob);
    const made = createComparison({
      ...{ player, own: new Audio(address), clock: browserClock, passage: { a, b, rate, offset } },
      onChange: () => setVoice(made.voice()),
    });
    // It is created and ended by the effect, as the take comes and goes.
    // oxlint-disable-next-line react/set-state-in-effect
    setComparison(made);
    return () => {
      made.stop();
      setComparison(null);
      URL.revokeObjectURL(address);
    };
  }, [player, blob, a, b, rate, offset]);
  const play = (wanted: Voice | null) => (wanted === null ? comparison?.stop() : comparison?.play(wanted));
  return [voice, play] as const;
}

/** 'Nov 23, 2:02 PM · 0:10 – 0:15'. */
function nameOf(take: StoredRecording) {
  const made = new Date(take.createdAt);
  const when = made.toLocaleString('en', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
  const passage = passageOf(take);
  return passage === null ? when : `${when} · ${duration(passage.a)} – ${duration(passage.b)}`;
}
