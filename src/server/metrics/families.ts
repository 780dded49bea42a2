type Labels = Record<string, string>;

type Sample = {
  /** Of histograms. */
  suffix?: '_bucket' | '_sum' | '_count';
  labels?: Labels;
  value: number;
};

/** Samples of one name, as Prometheus reads them. Names end with their unit, in seconds or bytes, and counters in `_total`. */
export type Family = {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: Sample[];
};

export const gauge = (name: string, help: string, value: number): Family => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
});

/** The media type of {@link textOf}. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Prometheus' text format. */
export const textOf = (families: Family[]): string =>
  families
    .map(({ name, help, type, samples }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((sample) => lineOf(name, sample))]
        .join('\n')
        .concat('\n'),
    )
    .join('');

function lineOf(name: string, { suffix, labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${suffix ?? ''}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

const escaped = (text: string) => text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
