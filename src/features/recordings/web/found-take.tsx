import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { ChosenAudio } from '../../../platform/web/audio-ui/upload/chosen-audio.ts';
import { ChosenPlayer } from '../../../platform/web/audio-ui/upload/chosen-player.tsx';
import { TakeNotices } from '../../../platform/web/audio-ui/recording/take-notices.tsx';
import { tryToHoldTake } from '../../../platform/web/takes/take-locks.ts';
import { removeTake } from '../../../platform/web/takes/use-takes.ts';
import { toast } from '../../../platform/web/toasts.ts';
import { ConfirmDialog } from '../../../platform/web/ui/alert-dialog.tsx';
import { Button } from '../../../platform/web/ui/button.tsx';
import { Card } from '../../../platform/web/ui/card.tsx';
import { TimeAgo } from '../../../platform/web/ui/time-ago.tsx';
import { type AbandonedTake, useAbandonedTake } from './abandoned-take.ts';

type FoundTakeProps = {
  isFormEmpty: boolean;
  /** The take stays locked until `letGo` is called, which the form must do once it holds the take itself. */
  onUse: (audio: ChosenAudio, letGo: () => void) => void;
};

const BUSY = 'It is open in another window. Please go on there.';

/** Offers an abandoned take, as long as the form is empty; one that the address names is used without asking. */
export function useFoundTake({ isFormEmpty, onUse }: FoundTakeProps) {
  const [search] = useSearchParams();
  const wanted = search.get('take');
  const [take, leave] = useAbandonedTake(isFormEmpty, wanted);
  const alone = async (wanted: AbandonedTake, act: (letGo: () => void) => void) => {
    const letGo = await tryToHoldTake(wanted.kept.id).catch(() => null);
    leave(wanted);
    if (letGo) act(letGo);
    else toast({ title: 'This recording is in use', description: BUSY });
  };
  const use = (found: AbandonedTake) => void alone(found, (letGo) => onUse(found, letGo));
  const isAskedFor = take !== null && isFormEmpty && take.kept.id === wanted;
  const adopt = useEffectEvent(() => take && use(take));
  useEffect(() => {
    if (isAskedFor) adopt();
  }, [isAskedFor]);
  const found = take && isFormEmpty && !isAskedFor && (
    <FoundTake
      take={take}
      onUse={() => use(take)}
      onDiscard={() =>
        void alone(take, (letGo) => {
          void removeTake(take.kept.id);
          letGo();
        })
      }
    />
  );
  return { found: found || null };
}

type CardProps = { take: AbandonedTake; onUse: () => void; onDiscard: () => void };

function FoundTake({ take, onUse, onDiscard }: CardProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Card as="section" aria-labelledby="found-take" className="grid gap-4 border-saffron">
      <div>
        <h2 id="found-take" className="text-lg">
          A recording was not submitted
        </h2>
        <p className="text-sm text-soft">
          You made it on this device <TimeAgo time={new Date(take.kept.createdAt).toISOString()} />.
          {take.kept.state === 'recording' && ' It was cut off; what had been sung until then is here.'}
        </p>
      </div>
      <TakeNotices notes={take.notes} />
      <ChosenPlayer audio={take} title="The recording that was not submitted" />
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button variant="primary" onClick={onUse}>
          Use this recording
        </Button>
        <Button onClick={() => setIsAsking(true)}>Discard</Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        sentence="Discard this recording?"
        note="It is on this device only, and would be gone."
        confirmLabel="Discard"
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
