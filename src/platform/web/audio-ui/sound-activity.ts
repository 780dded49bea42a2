import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Why a sound is not there to be sent yet: it is being recorded; it has been stopped, and the device does not have
 * it yet; or it is a file that is being looked at. Null when nothing of this goes on.
 */
export type SoundActivity = 'recording' | 'ending' | 'examining' | null;

/** From the first sound until it can be sent. */
export const isBeingRecorded = (activity: SoundActivity) => activity === 'recording' || activity === 'ending';

/** It will be there, or be refused, in a moment, and nobody has to do anything for it. */
const isSettling = (activity: SoundActivity) => activity === 'ending' || activity === 'examining';

/**
 * A press that sends, for when the sound has settled. One that comes earlier is carried out as soon as there is another
 * sound than at the press, and let go of when there is none: a file that is refused says so itself.
 */
export function useSettledPress(activity: SoundActivity, sound: Blob | null, send: () => void) {
  const [pressed, setPressed] = useState<{ with: Blob | null } | null>(null);
  const carryOut = useEffectEvent(send);
  useEffect(() => {
    if (!pressed || isSettling(activity)) return;
    // Carried out or not, it has been answered.
    // eslint-disable-next-line react-hooks/set-state-in-effect
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
