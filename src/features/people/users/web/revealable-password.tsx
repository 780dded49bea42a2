import { Copy, Eye, EyeOff } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';

type CopyState = 'not yet' | 'copied' | 'by hand';

/** Shows a password, hidden until revealed. Copying works while it is hidden too. */
export function RevealablePassword({ password }: { password: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [isShown, setIsShown] = useState(false);
  const [copyState, setCopyState] = useState<CopyState>('not yet');

  const copy = async () => {
    const isCopied = (await copyToClipboard(password)) || copyBySelection();
    setCopyState(isCopied ? 'copied' : 'by hand');
    if (isCopied) toast({ title: 'Password copied to clipboard' });
  };

  // Fallback for plain http, which has no clipboard API. Reveals the password, because hidden text can't be
  // copied from an input.
  const copyBySelection = () => {
    flushSync(() => setIsShown(true));
    input.current?.select();
    return document.execCommand('copy');
  };

  return (
    <div>
      <Field label="Password">
        {(wiring) => (
          <input
            {...wiring}
            ref={input}
            readOnly
            type={isShown ? 'text' : 'password'}
            value={password}
            autoComplete="off"
            onFocus={(event) => event.target.select()}
            className="h-12 w-full rounded-md border border-edge bg-surface px-3.5 text-base text-ink"
          />
        )}
      </Field>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button icon={isShown ? <EyeOff /> : <Eye />} onClick={() => setIsShown(!isShown)}>
          {isShown ? 'Hide password' : 'Show password'}
        </Button>
        <Button icon={<Copy />} onClick={() => void copy()}>
          Copy password
        </Button>
      </div>
      {copyState !== 'not yet' && (
        <p className="mt-2 text-sm font-semibold text-jade-ink">{COPY_MESSAGES[copyState]}</p>
      )}
    </div>
  );
}

const COPY_MESSAGES = {
  copied: 'Copied.',
  'by hand': 'The password is selected. Press Ctrl+C to copy it or, on a phone, press and hold it.',
};

async function copyToClipboard(text: string) {
  try {
    // `clipboard` is undefined on insecure pages, despite its type. `writeText` then throws, so the result is
    // false.
    await (navigator.clipboard as Clipboard | undefined)!.writeText(text);
    return true;
  } catch {
    return false;
  }
}
