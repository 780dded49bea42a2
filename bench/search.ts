import { Client } from '../src/testing/client.ts';
import { newDataFolder, startProgram } from '../src/testing/program.ts';
import { cpuMsOfAll } from './process-usage.ts';

/**
 * Measures the cost of a search of 2,000 melodies relative to the plain list of them, in CPU time of the program and
 * its database together, in the same run: trust the ratio. A search with few results must be cheap.
 */
const MELODIES = 2_000;
const TEXT_LENGTH = 4_000;
const ROUNDS = 3;
const ASKED = 10;

const LATIN =
  'sangye chö dang tsok kyi chok nam la lama khyenno refuge bodhicitta valley summit teacher kindness wisdom'.split(
    ' ',
  );
const TIBETAN = 'བླ་མ་མཁྱེན་ནོ། སངས་རྒྱས་ ཆོས་དང་ཚོགས་ཀྱི་ མཆོག་རྣམས་ལ། རིན་པོ་ཆེ། བྱང་ཆུབ་ སྒྲོལ་མ།'.split(' ');

const searches = [
  { what: 'the plain list', q: '', most: 1 },
  { what: 'no match', q: 'zhabdrung', most: 0.2 },
  { what: 'one match', q: 'number777', most: 0.2 },
  { what: 'one match in Tibetan', q: 'དཀོན་མཆོག་༧༧༧', most: 0.2 },
  { what: 'a word of all', q: 'sangye', most: 2 },
  { what: 'a Tibetan word of all', q: 'མཁྱེན', most: 2 },
  { what: 'one letter', q: 'a', most: 2 },
  { what: 'eight words of all', q: 'sangye cho tsok refuge valley teacher kindness wisdom', most: 3 },
  {
    what: 'ninety-nine words',
    q: Array.from({ length: 99 }, (_, i) => 'abcdefgh'[i % 8]).join(' '),
    most: 3,
  },
];

const PASSWORD = 'teacher-pass';
const { dataDir, remove } = await newDataFolder();
const program = await startProgram({ dataDir, environment: { ADMIN_PASSWORD: PASSWORD } });
try {
  const teacher = new Client(program.url);
  await teacher.post('/api/login', { username: 'khandro', password: PASSWORD });
  await teacher.post('/api/init');
  const [level] = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  for (let number = 0; number < MELODIES; number += 1) {
    const title = `Song number${number} དཀོན་མཆོག་${number.toLocaleString('bo-u-nu-tibt', { useGrouping: false })}`;
    await teacher.form('/api/melodies', {
      title,
      transmissionLevelId: level!.id,
      melodyText: textOf(number),
    });
  }
  let list = 0;
  for (const { what, q, most } of searches) {
    const ask = () => teacher.get(`/api/melodies?q=${encodeURIComponent(q)}`);
    const found = ((await ask()).body as unknown[]).length;
    let least = Infinity;
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await cpuMsOfAll(program);
      for (let i = 0; i < ASKED; i += 1) await ask();
      least = Math.min(least, ((await cpuMsOfAll(program)) - before) / ASKED);
    }
    list ||= least;
    const ratio = least / list;
    if (ratio > most) process.exitCode = 1;
    const verdict = ratio > most ? `TOO MUCH, ${most} allowed` : '';
    console.log(
      `${what.padEnd(24)} ${String(found).padStart(5)} found ${least.toFixed(0).padStart(6)} ms of CPU, ${ratio.toFixed(2)} of the list  ${verdict}`,
    );
  }
} finally {
  await program.end();
  await remove();
}

/** Different for each melody, and with all words of the lists. */
function textOf(number: number) {
  const words: string[] = [];
  for (let at = number, length = 0; length < TEXT_LENGTH; at += 1) {
    const word =
      at % 3 === 0 ? TIBETAN[(at * 7) % TIBETAN.length]! : LATIN[(at * 5 + number) % LATIN.length]!;
    words.push(at % 11 === 0 ? `${word}${(at * number) % 1_000}` : word);
    length += word.length + 1;
  }
  return words.join(' ');
}
