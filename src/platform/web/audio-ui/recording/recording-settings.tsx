import { ChevronDown } from 'lucide-react';
import { Checkbox } from '../../ui/checkbox.tsx';
import { chooseRecorderSettings, useRecorderSettings } from './recorder-settings.ts';

/** Seldom changed, so folded away; both are remembered on this device. */
export function RecordingSettings() {
  const { processing, countsIn } = useRecorderSettings();
  return (
    <details className="group text-start">
      <summary className="-ms-2 inline-flex min-h-11 items-center gap-2 rounded-md px-2 text-sm font-semibold text-lapis">
        <ChevronDown aria-hidden="true" className="size-5 group-open:rotate-180" />
        Recording settings
      </summary>
      <div className="grid gap-1 border-s-2 border-line ps-4">
        <Checkbox
          role="switch"
          label="Count in: 3, 2, 1"
          hint="Gives you a moment to breathe before the recording begins."
          checked={countsIn}
          onChange={(event) => chooseRecorderSettings({ countsIn: event.target.checked })}
        />
        <Checkbox
          role="switch"
          label="Voice processing"
          hint="Takes away echo and background noise and evens out loudness, as in a phone call. It can swallow long, sustained notes, so leave it off unless the place is noisy."
          checked={processing}
          onChange={(event) => chooseRecorderSettings({ processing: event.target.checked })}
        />
      </div>
    </details>
  );
}
