import { ArrowLeft } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { ButtonLink } from '../../../platform/web/ui/button.tsx';

/** For who came from a melody's player; nothing for everyone else. */
export function BackToPlayer() {
  const [search] = useSearchParams();
  const melodyId = search.get('player') ?? '';
  if (!/^\d+$/.test(melodyId)) return null;
  return (
    <ButtonLink href={`/melodies?play=${melodyId}`} variant="quiet" icon={<ArrowLeft aria-hidden="true" />}>
      Back to the player
    </ButtonLink>
  );
}
