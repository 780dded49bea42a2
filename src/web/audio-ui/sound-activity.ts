import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Why a sound cannot be sent yet: it is being recorded; recording has stopped, but the device has not stored it yet; or
 * it is a file that is being examined. Null otherwise.
 */
export type SoundActivity = 'recording' | 'ending' | 'examining' | null;

/** From the start of a recording until it can be sent. */
export const isBeingRecorded = (activity: SoundActivity) => activity === 'recording' || activity === 'ending';

/** In a moment the sound will be ready or refused, without the user doing anything. */
const isSettling = (activity: SoundActivity) => activity === 'ending' || activity === 'examining';

/**
 * Sends on a press, once the sound has settled. An earlier press is carried out as soon as there is another sound than
 * at the press, and dropped if there is none: the refusal of a file is shown already.
 */
export function useSettledPress(activity: SoundActivity, sound: Blob | null, send: () => void) {
  const [pressed, setPressed] = useState<{ with: Blob | null } | null>(null);
  const carryOut = useEffectEvent(send);
  useEffect(() => {
    if (!pressed || isSettling(activity)) return;
    // Carried out or not, the press has been dealt with.
    // oxlint-disable-next-line react/set-state-in-effect
    setPressed(null);
    if (sound && sound !== pressed.with) carryOut();
  }, [pressed, activity, sound]);
  return {
    isWaiting: pressed !== null,
    press() {
      if (isSettling(activity)) setPressed((earlier) => earlier ?? { with: sound });
      else send();
    },
  };
}
