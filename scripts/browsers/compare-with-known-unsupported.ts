import type { TooNewFeature } from './too-new.ts';

/** Reports features that are too new and not accepted, and exceptions that are no longer needed. */
export function compareWithKnownUnsupportedFeatures(
  tooNew: readonly TooNewFeature[],
  accepted: Readonly<Record<string, string>>,
): string[] {
  /** Returns the entry that accepts a feature: its own name or, for a CSS value, the name of its property. */
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
