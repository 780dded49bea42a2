import type { TooNew } from './too-new.ts';

/** What is missing in some of the oldest browsers and may be used all the same, by name: where, and why. */
export type Accepted = Record<string, { in: readonly string[]; because: string }>;

/** What to tell whoever uses something too new, or accepts what nobody uses any more. */
export function complaints(
  { tooNew, unknown }: { tooNew: readonly TooNew[]; unknown: readonly string[] },
  accepted: Accepted,
): string[] {
  const used = new Map(tooNew.map((each) => [each.name, each.files]));
  return [
    ...tooNew.flatMap(({ name, files, missing }) =>
      files
        .filter((file) => !accepted[name]?.in.includes(file))
        .map((file) => `${file}: ${name} is not in every browser that we build for: ${missing}.`),
    ),
    ...Object.entries(accepted).flatMap(([name, { in: files }]) =>
      files
        .filter((file) => !used.get(name)?.includes(file))
        .map(
          (file) => `${name} is accepted in ${file}, where it is not used, or which is not too new any more.`,
        ),
    ),
    ...unknown.map(
      (name) => `MDN's tables say nothing of ${name}: teach scripts/browsers/too-new.ts its name there.`,
    ),
  ];
}

/** The same of styles. */
export function complaintsOfStyles(
  tooNew: Readonly<Record<string, string>>,
  accepted: Readonly<Record<string, string>>,
): string[] {
  // A property is accepted with its values.
  const nameIn = (name: string) => (name in accepted ? name : name.replace(/(?<=.):.*/, ''));
  const used = new Set(Object.keys(tooNew).map(nameIn));
  return [
    ...Object.entries(tooNew)
      .filter(([name]) => !(nameIn(name) in accepted))
      .map(([name, missing]) => `styles: ${name} is not in every browser that we build for: ${missing}.`),
    ...Object.keys(accepted)
      .filter((name) => !used.has(name))
      .map((name) => `styles: ${name} is accepted, and not used, or not too new any more.`),
  ];
}
