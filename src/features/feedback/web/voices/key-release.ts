/** Calls `then` when the key V is let go of, or the window loses focus, after which the keyboard tells nothing more. */
export function whenKeyIsUp(signal: AbortSignal, then: () => void) {
  const isVoiceKey = ({ key, code }: KeyboardEvent) => key.toLowerCase() === 'v' || code === 'KeyV';
  document.addEventListener('keyup', (event) => (isVoiceKey(event) || event.key === 'Alt') && then(), {
    signal,
  });
  addEventListener('blur', then, { signal });
  // With Alt, the key that is held would type a character into the box again and again.
  document.addEventListener('keydown', (event) => isVoiceKey(event) && event.preventDefault(), { signal });
}
