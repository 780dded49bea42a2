import { clsx } from 'clsx';
import { type ColourTone, colourToneClasses } from '#web/ui/tone.ts';
import { DEFAULT_LEVELS } from '../limits.ts';

type NamedLevel = { id: number; name: string };

type LevelBadgeProps = {
  level: NamedLevel;
  /** Hides the part in brackets on phones: 'Lung' for 'Lung (Reading Transmission)'. */
  isShortOnPhones?: boolean;
  className?: string;
};

/** Shows a level's name in its colour. */
export function LevelBadge({ level, isShortOnPhones = false, className }: LevelBadgeProps) {
  const [addition = ''] = (isShortOnPhones && /\s*\([^()]*\)$/.exec(level.name)) || [];
  return (
    <span
      dir="auto"
      className={clsx(
        'inline-block rounded-full bg-(--tone-ground) px-3 py-0.5 text-xs font-semibold text-(--tone-ink) forced-colors:border',
        colourToneClasses[getLevelTone(level)],
        className,
      )}
    >
      {level.name.slice(0, level.name.length - addition.length)}
      {addition && <span className="max-sm:sr-only">{addition}</span>}
    </span>
  );
}

const DEFAULT_TONES: readonly ColourTone[] = ['saffron', 'maroon', 'jade', 'lapis', 'plum'];
const OTHER_TONES: readonly ColourTone[] = ['teal', 'clay', 'slate'];

/** Returns a fixed colour for each default level, and for others a colour derived from the id. */
export function getLevelTone({ id, name }: NamedLevel): ColourTone {
  const known = DEFAULT_TONES[DEFAULT_LEVELS.findIndex((level) => level.name === name)];
  return known ?? OTHER_TONES[id % OTHER_TONES.length] ?? 'slate';
}
