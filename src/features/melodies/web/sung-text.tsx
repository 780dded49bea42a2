import { clsx } from 'clsx';
import { langOf } from './tibetan.ts';

/** The words of a melody, line by line: upper case to look at, as typed underneath; Tibetan as it is. */
export function SungText({ text, className }: { text: string; className?: string }) {
  return (
    <div className={clsx('sung-text font-serif', className)}>
      {text.split('\n').map((line, index) => (
        <p key={index} {...langOf(line)} className="min-h-[1lh]">
          {line}
        </p>
      ))}
    </div>
  );
}
