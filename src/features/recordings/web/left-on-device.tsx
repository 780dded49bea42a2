import { X } from 'lucide-react';
import { useState } from 'react';
import { ButtonLink } from '../../../platform/web/ui/button.tsx';
import { IconButton } from '../../../platform/web/ui/icon-button.tsx';
import { useAbandonedTake } from './abandoned-take.ts';

/**
 * A notice on any page that a recording was left unsent, with a link to where it is offered. Low on the screen, so that
 * nothing moves under a finger.
 */
export default function LeftOnDevice() {
  const [take] = useAbandonedTake(true);
  const [putAway, setPutAway] = useState<string | null>(null);
  if (!take || take.kept.id === putAway) return null;
  return (
    <section
      role="status"
      aria-label="Recording on this device"
      className="shadow-lg fixed inset-x-3 bottom-3 z-20 flex items-center gap-2 rounded-lg border border-saffron bg-surface py-2 ps-4 pe-1 sm:mx-auto sm:max-w-xl lg:start-67"
    >
      <p className="min-w-0 grow text-sm">A recording here was not submitted.</p>
      <ButtonLink href="/submit" className="shrink-0 px-3!">
        Listen to it
      </ButtonLink>
      <IconButton label="Not now" icon={<X aria-hidden="true" />} onClick={() => setPutAway(take.kept.id)} />
    </section>
  );
}
