import { useEffect, useState } from 'react';
import type { ChosenAudio } from '../../../platform/web/audio-ui/chosen-audio.ts';
import { ChosenPlayer } from '../../../platform/web/audio-ui/chosen-player.tsx';
import { keptAudio } from '../../../platform/web/audio-ui/kept-audio.ts';
import type { KeptTake } from '../../../platform/web/takes/kept-take.ts';
import { notHeld, tryToHoldTake } from '../../../platform/web/takes/take-locks.ts';
import { removeTake, takeStore, useTakes } from '../../../platform/web/takes/use-takes.ts';
import { toast } from '../../../platform/web/toasts.ts';
import { ConfirmDialog } from '../../../platform/web/ui/alert-dialog.tsx';
import { Button } from '../../../platform/web/ui/button.tsx';
import { Card } from '../../../platform/web/ui/card.tsx';
import { TimeAgo } from '../../../platform/web/ui/time-ago.tsx';
import { RECORDING } from './sending.ts';

type FoundTakeProps = {
  isFormEmpty: boolean;
  /** No other tab has it until `letGo` is called, which is the form's to do once it holds the take itself. */
  onUse: (audio: ChosenAudio, letGo: () => void) => void;
};

const BUSY = 'It is open in another window. Please go on there.';

/**
 * The oldest recording of this person on this device that was neither submitted nor discarded, where no living tab
 * has it: what a closed tab, a crash or a lost session left behind.
 */
export function useFoundTake({ isFormEmpty, onUse }: FoundTakeProps) {
  const [take, leave] = useAbandonedTake(isFormEmpty);
  const alone = async (wanted: Found, act: (letGo: () => void) => void) => {
    const letGo = await tryToHoldTake(wanted.kept.id).catch(() => null);
    leave(wanted);
    if (letGo) act(letGo);
    else toast({ title: 'This recording is in use', description: BUSY });
  };
  const found = take && isFormEmpty && (
    <FoundTake
      take={take}
      onUse={() => void alone(take, (letGo) => onUse(take, letGo))}
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

type Found = ChosenAudio & { kept: KeptTake };

function useAbandonedTake(isLooking: boolean) {
  const takes = useTakes(RECORDING);
  const [found, setFound] = useState<Found | null>(null);
  const visits = useVisits();
  useEffect(() => {
    let isHere = true;
    const unsent = (takes ?? []).filter(({ state }) => state === 'recording' || state === 'recorded');
    const look = async () => {
      const free = await notHeld(unsent.map(({ id }) => id));
      for (const kept of unsent.filter(({ id }) => free.has(id))) {
        const audio = await keptAudio(takeStore(), kept);
        if (audio) return audio;
      }
      return null;
    };
    if (isLooking)
      look().then(
        (audio) => isHere && setFound(audio),
        () => undefined,
      );
    return () => {
      isHere = false;
    };
  }, [takes, isLooking, visits]);
  const leave = (left: Found) => setFound((shown) => (shown === left ? null : shown));
  return [found, leave] as const;
}

/** Counts how often one comes back to this tab: another may have taken or left something meanwhile, and no tab says so. */
function useVisits() {
  const [visits, setVisits] = useState(0);
  useEffect(() => {
    const count = () => setVisits((before) => before + 1);
    addEventListener('focus', count);
    return () => removeEventListener('focus', count);
  }, []);
  return visits;
}

type CardProps = { take: Found; onUse: () => void; onDiscard: () => void };

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
