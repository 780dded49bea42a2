import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

/** Long words, folded after four lines until they are wanted. */
export function Folded({ children }: { children: ReactNode }) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isLong, setIsLong] = useState(false);

  useEffect(() => {
    const element = box.current;
    if (!element || isOpen) return;
    const look = () => setIsLong(element.scrollHeight > element.clientHeight + 1);
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [isOpen]);

  return (
    <div>
      <div id={id} ref={box} className={isOpen ? undefined : 'line-clamp-4'}>
        {children}
      </div>
      {(isLong || isOpen) && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
          className="link inline-flex min-h-11 items-center text-sm font-semibold"
        >
          {isOpen ? 'Show less' : 'Show all of it'}
        </button>
      )}
    </div>
  );
}
