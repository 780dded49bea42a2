import { type RefObject, useRef } from 'react';
import { Button } from '#web/ui/button.tsx';
import { chosenFiles } from './folder.ts';
import type { FolderFile } from './import-files.ts';

type FileInputProps = {
  label: string;
  inputRef?: RefObject<HTMLInputElement | null>;
  onFiles: (files: readonly FolderFile[]) => void;
  isBusy: boolean;
  isPrimary?: boolean;
};

/** A button that opens the browser's dialog for files. */
export function FileInput({ label, inputRef, onFiles, isBusy, isPrimary = false }: FileInputProps) {
  const own = useRef<HTMLInputElement>(null);
  const input = inputRef ?? own;
  return (
    <>
      <Button
        variant={isPrimary ? 'primary' : 'secondary'}
        busy={isBusy}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={({ target }) => {
          if (target.files && target.files.length > 0) onFiles(chosenFiles(target.files));
          target.value = '';
        }}
      />
    </>
  );
}
