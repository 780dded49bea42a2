import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { type PageTake, takeFromPage } from '#features/recordings/web/recorder/page-takes.ts';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { keptAudio } from '#features/recordings/web/kept-audio.ts';
import { useSettings } from '#web/api/page-data.ts';
import { browserClock } from '../engine/player-environment.ts';
import type { PracticePlayer } from '../engine/practice-player.ts';
import { useUser } from '#web/api/session.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import { TakeStoreError } from '#features/recordings/web/takes/take-store.ts';
import { removeTake, takeStore } from '#features/recordings/web/takes/use-takes.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { submitTake } from '#features/recordings/web/practice-again.ts';
import { RECORDING } from '#features/recordings/web/queue.ts';
import type { MelodySummary } from '#features/melodies/contract.ts';
import { Segment, segments } from '../segments.tsx';
import { createComparison, type Voice } from './comparison.ts';
import { passageOf, type SungPassage } from './practice-take.ts';

const NOT_HANDED_OVER =
  'Your recording wasn’t submitted, because this device couldn’t save it. It’s still here. Please try again.';

/** A take stored on the device, or one held only in this page. */
export type OwnTake = StoredRecording | PageTake;

type TakeProps = { take: OwnTake; player: PracticePlayer; melody: MelodySummary; onLetGo: () => void };

/** One take, with controls to compare it with the teacher, submit it or delete it. */
export function SungTake({ take, player, melody, onLetGo }: TakeProps) {
  const { teacherTitle } = useSettings();
  const { id: userId } = useUser();
  const isInPage = 'audio' in take;
  const audio = useAudioOf(take);
  const [isAsking, setIsAsking] = useState(false);
  const [notHandedOver, setNotHandedOver] = useState(false);
  const passage = passageOf(take);
  const [voice, play] = useComparison(player, audio?.blob ?? null, passage);
  const submit = async () => {
    const sending = { title: melody.title, message: '', melodyId: melody.id };
    setNotHandedOver(false);
    try {
      if (isInPage || (await takeStore().change(take.id, { purpose: RECORDING, sending })))
        navigate(submitTake(melody.id, take.id));
    } catch (error) {
      if (!(error instanceof TakeStoreError)) throw error;
      setNotHandedOver(true);
    }
  };
  const voices = { hers: teacherTitle, mine: 'Mine', both: 'Together' } as const;
  return (
    <>
      <div className="flex flex-wrap items-center gap-1 desk:gap-2">
        <div role="group" aria-label="Listen to" className={segments}>
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
          label="Delete"
          icon={<Trash2 />}
          onClick={() => setIsAsking(true)}
          className="min-w-11!"
        />
      </div>
      {notHandedOver && <ErrorText>{NOT_HANDED_OVER}</ErrorText>}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        sentence="Delete this recording?"
        note={`It’s only ${isInPage ? 'on this page' : 'on this device'} and can’t be recovered.`}
        confirmLabel="Delete"
        cancelLabel="Keep it"
        isDangerous
        onConfirm={() => {
          setIsAsking(false);
          onLetGo();
          if (isInPage) takeFromPage(take.id, userId);
          else void removeTake(take.id);
        }}
      />
    </>
  );
}

/** Returns the take's audio, or null until it has been read from the device. */
function useAudioOf(take: OwnTake) {
  const [audio, setAudio] = useState<ChosenAudio | null>('audio' in take ? take.audio : null);
  useEffect(() => {
    let isHere = true;
    if (!('audio' in take))
      keptAudio(takeStore(), take).then(
        (read) => isHere && setAudio(read),
        () => undefined,
      );
    return () => {
      isHere = false;
    };
    // The audio of a take never changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [take.id, 'state' in take && take.state]);
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
    // The comparison is created and ended by the effect, with the take.
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
