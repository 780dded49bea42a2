import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { removeInMemoryTake } from '#features/recordings/web/recorder/in-memory-takes.ts';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { ChosenAudioPlayer } from '#web/audio-ui/upload/chosen-audio-player.tsx';
import { loadStoredAudio } from '#features/recordings/web/load-stored-audio.ts';
import { TakeWarningNotices } from '#features/recordings/web/recorder/take-warning-notices.tsx';
import { useUser } from '#web/api/session.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import { tryLockTake } from '#features/recordings/web/takes/take-locks.ts';
import { removeTake, getTakeStore } from '#features/recordings/web/takes/use-takes.ts';
import { toast } from '#web/ui/toasts.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { TimeAgo } from '#web/ui/time-ago.tsx';
import { useAbandonedTake } from './use-abandoned-take.ts';

type AbandonedTake = ChosenAudio & { kept: StoredRecording };

type AbandonedTakeOfferProps = {
  isFormEmpty: boolean;
  /**
   * The take stays locked until `release` is called. The form must call it once it has its own lock on the
   * take.
   */
  onUse: (audio: ChosenAudio, release: () => void) => void;
};

/** Maximum time to search the device for a take, in ms. After that, the form is shown anyway. */
export const TAKE_SEARCH_TIMEOUT_MS = 1_000;

const OPEN_IN_OTHER_WINDOW = 'It’s open in another window. Please continue there.';

/**
 * Offers an abandoned take as long as the form is empty. A take named in the URL is used without asking,
 * whether it is stored on the device or only in this page.
 * @returns `found`: the card to show above the form. `isKnown`: whether the search for a take has ended or timed
 * out. The form is shown only then, because a card that appears later would move it.
 */
export function useAbandonedTakeOffer({ isFormEmpty, onUse }: AbandonedTakeOfferProps) {
  const { id: userId } = useUser();
  const [search] = useSearchParams();
  const wanted = search.get('take');
  const adoptFromPage = useEffectEvent((id: string) => {
    const audio = removeInMemoryTake(id, userId);
    if (audio) onUse(audio, () => undefined);
  });
  useEffect(() => {
    if (wanted !== null) adoptFromPage(wanted);
  }, [wanted]);
  const [take, leave] = useAbandonedTake(isFormEmpty, loadAudio, wanted);
  const alone = async (wanted: AbandonedTake, act: (release: () => void) => void) => {
    const release = await tryLockTake(wanted.kept.id).catch(() => null);
    leave(wanted);
    if (release) act(release);
    else toast({ title: 'This recording is in use', description: OPEN_IN_OTHER_WINDOW });
  };
  const use = (found: AbandonedTake) => void alone(found, (release) => onUse(found, release));
  const isLate = useHasTimedOut();
  const isAskedFor = take && isFormEmpty && take.kept.id === wanted;
  const adopt = useEffectEvent(() => take && use(take));
  useEffect(() => {
    if (isAskedFor) adopt();
  }, [isAskedFor]);
  const found = take && isFormEmpty && !isAskedFor && (
    <AbandonedTakeCard
      take={take}
      onUse={() => use(take)}
      onDiscard={() =>
        void alone(take, (release) => {
          void removeTake(take.kept.id);
          release();
        })
      }
    />
  );
  return { found: found || null, isKnown: take !== undefined || !isFormEmpty || isLate };
}

function useHasTimedOut() {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), TAKE_SEARCH_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

const loadAudio = (kept: StoredRecording): Promise<AbandonedTake | null> =>
  loadStoredAudio(getTakeStore(), kept);

type AbandonedTakeCardProps = { take: AbandonedTake; onUse: () => void; onDiscard: () => void };

function AbandonedTakeCard({ take, onUse, onDiscard }: AbandonedTakeCardProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Card as="section" aria-labelledby="found-take" className="grid gap-4 border-saffron">
      <div>
        <h2 id="found-take" className="text-lg">
          You have an unsent recording
        </h2>
        <p className="text-sm text-soft">
          You made it on this device <TimeAgo time={new Date(take.kept.createdAt).toISOString()} />.
          {take.kept.state === 'recording' && ' It stopped early. Everything up to that point is saved.'}
        </p>
      </div>
      <TakeWarningNotices notes={take.notes} />
      <ChosenAudioPlayer audio={take} title="Your unsent recording" />
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button variant="primary" onClick={onUse}>
          Use this recording
        </Button>
        <Button onClick={() => setIsAsking(true)}>Delete</Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        sentence="Delete this recording?"
        note="It’s only on this device. If you delete it, it can’t be recovered."
        confirmLabel="Delete"
        cancelLabel="Keep it"
        isDangerous
        onConfirm={() => {
          setIsAsking(false);
          onDiscard();
        }}
      />
    </Card>
  );
}
