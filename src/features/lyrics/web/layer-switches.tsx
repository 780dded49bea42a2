import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { Layer } from '../tags.ts';
import { setLayerShown } from './shown-layers.ts';

export const LAYER_NAMES: Record<Layer, string> = {
  tibetan: 'Tibetan',
  phonetics: 'Pronunciation',
  translation: 'Translation',
};

type LayerSwitchesProps = { present: readonly Layer[]; shown: ReadonlySet<Layer> };

/** Switches for the layers to show, if there are several. The last visible layer can't be turned off. */
export function LayerSwitches({ present, shown }: LayerSwitchesProps) {
  if (present.length < 2) return null;
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-2">
      <legend className="sr-only">Show</legend>
      {present.map((layer) => {
        const isShown = shown.has(layer);
        const isLast = isShown && shown.size === 1;
        return (
          <label
            key={layer}
            className={clsx(
              'inline-flex min-h-11 items-center gap-1.5 rounded-full border px-3.5 text-sm leading-tight',
              'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-lapis',
              isShown
                ? 'forced-highlight border-action bg-action-ground text-action'
                : 'border-edge text-soft',
              isLast ? 'cursor-default' : 'cursor-pointer',
            )}
          >
            <input
              type="checkbox"
              checked={isShown}
              aria-disabled={isLast || undefined}
              onChange={(event) => {
                if (!isLast) setLayerShown(layer, event.target.checked);
              }}
              className="sr-only"
            />
            {/* A hidden check mark keeps its space, so that the chips don't move. */}
            <Check className={clsx('size-4', !isShown && 'invisible')} />
            {LAYER_NAMES[layer]}
          </label>
        );
      })}
    </fieldset>
  );
}
