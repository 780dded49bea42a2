import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Why a sound can't be sent yet: it is being recorded; recording has stopped, but the device has not stored it yet;
 * or it is a file that is being examined. Otherwise null.
 */
export type SoundActivity = 'recording' | 'ending' | 'examining' | null;

/** Whether a sound is between the start of its recording and the moment it can be sent. */
export const isBeingRecorded = (activity: SoundActivity) => activity === 'recording' || activity === 'ending';

/** Whether the sound will soon be ready or refused, without the user doing anything. */
const isSettling = (activity: SoundActivity) => activity === 'ending' || activity === 'examining';

/**
 * Sends on a press, once the sound has settled. An earlier press takes effect as soon as there is a different sound,
 * and is dropped if there is none, because the refusal of the file is already shown.
 */
export function useSendWhenSettled(activity: SoundActivity, sound: Blob | null, send: () => void) {
  const [pressed, setPressed] = useState<{ with: Blob | null } | null>(null);
  const carryOut = useEffectEvent(send);
  useEffect(() => {
    if (!pressed || isSettling(activity)) return;
    // Carried out or not, the press has been handled.
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
