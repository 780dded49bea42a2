import { clsx } from 'clsx';

const TIBETAN = /[\u0f00-\u0fff]/;

/** The words of a melody, line by line: upper case to look at, as typed underneath; Tibetan as it is. */
export function SungText({ text, className }: { text: string; className?: string }) {
  return (
    <div className={clsx('sung-text font-serif', className)}>
      {text.split('\n').map((line, index) =>
        TIBETAN.test(line) ? (
          <p key={index} lang="bo">
            {line}
          </p>
        ) : (
          <p key={index} className="min-h-[1lh]">
            {line}
          </p>
        ),
      )}
    </div>
  );
}
