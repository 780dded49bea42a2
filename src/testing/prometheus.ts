export type ParsedSample = { name: string; labels: Record<string, string>; value: number };

const LINE = /^([a-z_][a-z0-9_]*)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)$/;
const LABEL = /([a-z_]+)="((?:[^"\\\n]|\\["\\n])*)"/g;

/**
 * Reads Prometheus' text format, and throws at what its scraper or its linter (`promtool check metrics`) would not
 * take: a line it can't read, a series twice, a family in two places or without help and type, a counter with another
 * ending than `_total`, a histogram that does not add up.
 */
export function parseMetrics(text: string): ParsedSample[] {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.');
  const samples: ParsedSample[] = [];
  const families = new Map<string, string>();
  const series = new Set<string>();
  let current = '';
  let helped = '';
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const [, kind, about = '', said = ''] = /^# (HELP|TYPE) (\w+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (families.has(about)) throw new Error(`${about} is there twice.`);
      helped = about;
    } else if (kind === 'TYPE') {
      if (helped !== about) throw new Error(`${about} has no help.`);
      if (!['counter', 'gauge', 'histogram'].includes(said)) throw new Error(`${about} is a ${said}.`);
      if ((said === 'counter') !== about.endsWith('_total'))
        throw new Error(`${about} is no ${said} by its name.`);
      families.set(about, said);
      current = about;
    } else {
      const [, name = '', labelText = '', number = ''] = LINE.exec(line) ?? [];
      const isOfFamily =
        families.get(current) === 'histogram'
          ? /^_(bucket|sum|count)$/.test(name.replace(current, ''))
          : name === current;
      if (!isOfFamily) throw new Error(`Not in its family: ${line}`);
      if (!/^(\d+(\.\d+)?(e[+-]\d+)?|\+Inf)$/.test(number)) throw new Error(`No number: ${line}`);
      const labels = Object.fromEntries(
        [...labelText.matchAll(LABEL)].map(([, label, value]) => [label, value]),
      );
      const key = JSON.stringify([name, Object.entries(labels).sort()]);
      if (series.has(key)) throw new Error(`Twice: ${line}`);
      series.add(key);
      samples.push({ name, labels, value: Number(number.replace('+Inf', 'Infinity')) });
    }
  }
  for (const [name, type] of families) if (type === 'histogram') checkHistogram(name, samples);
  return samples;
}

function checkHistogram(name: string, samples: ParsedSample[]) {
  const counts = samples.filter((sample) => sample.name === `${name}_count`);
  for (const { labels, value: count } of counts) {
    const isOfThese = (sample: ParsedSample) =>
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value);
    const buckets = samples.filter((sample) => sample.name === `${name}_bucket` && isOfThese(sample));
    const bounds = buckets.map(({ labels: { le = '' } }) => Number(le.replace('+Inf', 'Infinity')));
    const values = buckets.map(({ value }) => value);
    const grow = (list: number[]) => list.every((each, at) => at === 0 || each >= list[at - 1]!);
    const isWhole = bounds.at(-1) === Infinity && values.at(-1) === count;
    const hasSum = samples.some((sample) => sample.name === `${name}_sum` && isOfThese(sample));
    if (!isWhole || !hasSum || !grow(bounds) || !grow(values))
      throw new Error(`${name} does not add up for ${JSON.stringify(labels)}.`);
  }
}
