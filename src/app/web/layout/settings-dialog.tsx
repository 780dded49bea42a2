import { NotificationEmailSetting } from '#features/messages/notifications/web/notification-email-setting.tsx';
import { type TextSize, type Theme, updateAppearance, useAppearance } from '#web/device/appearance.ts';
import { type AudioQualityChoice, setAudioQuality, audioQuality } from '#web/audio/sound-choice.ts';
import { Button } from '#web/ui/button.tsx';
import { RadioGroup } from '#web/ui/radio-group.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useStore } from '#web/use-store.ts';

type SettingsDialogProps = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

export function SettingsDialog({ isOpen, onOpenChange }: SettingsDialogProps) {
  const { theme, textSize } = useAppearance();
  const sound = useStore(audioQuality);
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Settings"
      description="Theme, text size and data use are saved on this device."
      actions={
        <Button variant="primary" onClick={() => onOpenChange(false)}>
          Done
        </Button>
      }
    >
      <div className="grid gap-6">
        <RadioGroup<Theme>
          label="Theme"
          value={theme}
          onChange={(chosen) => updateAppearance({ theme: chosen })}
          options={[
            { value: 'system', label: 'Same as device' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
        <RadioGroup<TextSize>
          label="Text size"
          value={textSize}
          onChange={(chosen) => updateAppearance({ textSize: chosen })}
          options={[
            { value: 'normal', label: 'Normal' },
            { value: 'large', label: 'Large' },
            { value: 'larger', label: 'Larger' },
          ]}
        />
        <RadioGroup<AudioQualityChoice>
          label="Data use"
          value={sound}
          onChange={setAudioQuality}
          options={[
            { value: 'automatic', label: 'Automatic' },
            { value: 'small', label: 'Save data' },
            { value: 'full', label: 'Best quality' },
          ]}
          hint="With “Save data”, melodies start sooner. “Automatic” saves data on slow connections."
        />
        <NotificationEmailSetting />
      </div>
    </Dialog>
  );
}
