import type { TooNewFeature } from './too-new.ts';

/** Reports features that are too new and not accepted, and exceptions that are no longer needed. */
export function compareWithKnownUnsupported(
  tooNew: readonly TooNewFeature[],
  accepted: Readonly<Record<string, string>>,
): string[] {
  /** Finds the entry that accepts a style: its own name or the name of its property. */
  const acceptedAs = (name: string) => [name, name.replace(/(?<=.):.*/, '')].find((each) => each in accepted);
  const needed = new Set(tooNew.map(({ name }) => acceptedAs(name)));
  return [
    ...tooNew
      .filter(({ name }) => acceptedAs(name) === undefined)
      .map(({ name, files, missing }) => `${files.join(', ')}: ${name} needs ${missing}.`),
    ...Object.keys(accepted)
      .filter((name) => !needed.has(name))
      .map((name) => `scripts/browsers/known-unsupported.ts: ${name} is not used, or not too new any more.`),
  ];
}
