import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { type InMemoryTake, removeInMemoryTake } from '#features/recordings/web/recorder/in-memory-takes.ts';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { loadStoredAudio } from '#features/recordings/web/load-stored-audio.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { browserClock } from '../engine/player-environment.ts';
import type { PracticePlayer } from '../engine/practice-player.ts';
import { useUser } from '#web/api/session.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import { TakeStoreError } from '#features/recordings/web/takes/take-store.ts';
import { removeTake, getTakeStore } from '#features/recordings/web/takes/use-takes.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { getSubmitTakePath } from '#features/recordings/web/practice-paths.ts';
import { SUBMISSION_PURPOSE } from '#features/recordings/web/queue-recording.ts';
import type { MelodySummary } from '#features/melodies/contract.ts';
import { SegmentButton, segmentGroupClass } from '../segment-button.tsx';
import { createComparisonPlayer, type ComparedVoice } from './comparison-player.ts';
import { parseTakePassage, type TakePassage } from './practice-take.ts';

const SUBMIT_FAILED =
  'Your recording wasn’t submitted, because this device couldn’t save it. It’s still here. Please try again.';

/** A take stored on the device, or one held only in this page. */
export type OwnTake = StoredRecording | InMemoryTake;

type OwnTakeItemProps = {
  take: OwnTake;
  player: PracticePlayer;
  melody: MelodySummary;
  onRemove: () => void;
};

/** One take, with controls to compare it with the teacher, submit it or delete it. */
export function OwnTakeItem({ take, player, melody, onRemove }: OwnTakeItemProps) {
  const { teacherTitle } = usePageSettings();
  const { id: userId } = useUser();
  const isInPage = 'audio' in take;
  const audio = useTakeAudio(take);
  const [isAsking, setIsAsking] = useState(false);
  const [hasSubmitFailed, setHasSubmitFailed] = useState(false);
  const passage = parseTakePassage(take);
  const [voice, play] = useComparison(player, audio?.blob ?? null, passage);
  const submit = async () => {
    const sending = { title: melody.title, message: '', melodyId: melody.id };
    setHasSubmitFailed(false);
    try {
      if (isInPage || (await getTakeStore().change(take.id, { purpose: SUBMISSION_PURPOSE, sending })))
        navigate(getSubmitTakePath(melody.id, take.id));
    } catch (error) {
      if (!(error instanceof TakeStoreError)) throw error;
      setHasSubmitFailed(true);
    }
  };
  const voices = { hers: teacherTitle, mine: 'Mine', both: 'Together' } as const;
  return (
    <>
      <div className="flex flex-wrap items-center gap-1 desk:gap-2">
        <div role="group" aria-label="Listen to" className={segmentGroupClass}>
          {(['hers', 'mine', 'both'] as const).map((each) => (
            <SegmentButton
              key={each}
              aria-pressed={voice === each}
              isChosen={voice === each}
              disabled={!audio || (passage === null && each !== 'mine')}
              onClick={() => play(voice === each ? null : each)}
              className="px-3"
            >
              {voices[each]}
            </SegmentButton>
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
      {hasSubmitFailed && <ErrorText>{SUBMIT_FAILED}</ErrorText>}
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
          onRemove();
          if (isInPage) removeInMemoryTake(take.id, userId);
          else void removeTake(take.id);
        }}
      />
    </>
  );
}

/** Returns the take's audio; null until it has been read from the device, or if reading fails. */
function useTakeAudio(take: OwnTake) {
  const [audio, setAudio] = useState<ChosenAudio | null>('audio' in take ? take.audio : null);
  useEffect(() => {
    let isHere = true;
    if (!('audio' in take))
      loadStoredAudio(getTakeStore(), take).then(
        (read) => isHere && setAudio(read),
        () => undefined,
      );
    return () => {
      isHere = false;
    };
    // Reads the audio again only if the take's id or state changes. Otherwise, the audio never changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [take.id, 'state' in take && take.state]);
  return audio;
}

function useComparison(player: PracticePlayer, blob: Blob | null, passage: TakePassage | null) {
  const [voice, setVoice] = useState<ComparedVoice | null>(null);
  const [comparison, setComparison] = useState<ReturnType<typeof createComparisonPlayer> | null>(null);
  const { a, b, rate, offset } = passage ?? { a: 0, b: 0, rate: 1, offset: 0 };
  useEffect(() => {
    if (!blob) return;
    const address = URL.createObjectURL(blob);
    const created = createComparisonPlayer({
      ...{ player, own: new Audio(address), clock: browserClock, passage: { a, b, rate, offset } },
      onChange: () => setVoice(created.voice()),
    });
    // The effect creates the comparison for a take, and stops it when the take changes.
    // oxlint-disable-next-line react/set-state-in-effect
    setComparison(created);
    return () => {
      created.stop();
      setComparison(null);
      URL.revokeObjectURL(address);
    };
  }, [player, blob, a, b, rate, offset]);
  const play = (nextVoice: ComparedVoice | null) =>
    nextVoice === null ? comparison?.stop() : comparison?.play(nextVoice);
  return [voice, play] as const;
}
