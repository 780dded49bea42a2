import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { KeyCap } from '#web/ui/key-cap.tsx';
import { INBOX_SHORTCUTS } from './shortcuts.ts';

type ShortcutsDialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  hasSingleKeys: boolean;
  onSingleKeysChange: (has: boolean) => void;
};

export function ShortcutsDialog({
  isOpen,
  onOpenChange,
  hasSingleKeys,
  onSingleKeysChange,
}: ShortcutsDialogProps) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Keyboard shortcuts" size="wide">
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b border-line text-start">
            <th scope="col" className="py-2 pe-2 text-start font-semibold sm:pe-4">
              Action
            </th>
            <th scope="col" className="py-2 pe-2 text-start font-semibold sm:pe-4">
              Key
            </th>
            <th scope="col" className="py-2 text-start font-semibold">
              While typing
            </th>
          </tr>
        </thead>
        <tbody>
          {INBOX_SHORTCUTS.map(({ command, plain, inFields, description }) => (
            <tr key={command} className="border-b border-line">
              <td className="py-2 pe-2 sm:pe-4">{description}</td>
              <td className="py-2 pe-2 sm:pe-4">
                <Keys keys={plain} />
              </td>
              <td className="py-2">
                <Keys keys={inFields} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Checkbox
        className="mt-4"
        label="Use single-letter shortcuts"
        hint="Turn this off if you dictate, or press keys by accident. Shortcuts with Alt or Ctrl still work."
        checked={hasSingleKeys}
        onChange={(event) => onSingleKeysChange(event.target.checked)}
      />
    </Dialog>
  );
}

const Keys = ({ keys }: { keys: string }) =>
  keys === '' ? (
    <span className="text-soft">–</span>
  ) : (
    <span className="flex gap-1 max-[24rem]:flex-wrap">
      {keys.split(' ').map((key) => (
        <KeyCap key={key}>{key}</KeyCap>
      ))}
    </span>
  );
