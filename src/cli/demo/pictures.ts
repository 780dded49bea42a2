import sharp from 'sharp';

const WIDTH = 1280;
const HEIGHT = 720;

/** A picture for a card, drawn in flat warm colours. @returns a JPEG of 1280 × 720 */
export const paint = (picture: keyof typeof PICTURES): Promise<Buffer> =>
  sharp(Buffer.from(frame(PICTURES[picture]())))
    .jpeg({ quality: 88 })
    .toBuffer();

export type Picture = keyof typeof PICTURES;

const PICTURES = { mountains, sunrise, lotus, knot, lamps, river, flags, stupa, leaves } as const;

const frame = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${inside}</svg>`;

const ground = (fill: string) => `<rect width="${WIDTH}" height="${HEIGHT}" fill="${fill}"/>`;
const shape = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`;
const line = (d: string, stroke: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
const disc = (x: number, y: number, radius: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
const placed = (x: number, y: number, inside: string, turned = 0, scale = 1) =>
  `<g transform="translate(${x} ${y}) rotate(${turned}) scale(${scale})">${inside}</g>`;

function mountains() {
  return [
    ground('#efcf9f'),
    disc(905, 250, 96, '#c65b3c'),
    shape('M0 470L210 300L330 390L560 170L760 380L880 300L1280 520V720H0Z', '#b98a78'),
    shape('M560 170L640 254L590 246L556 290L520 250L478 248Z', '#f8ecd8'),
    shape('M210 300L262 339L222 346L196 372L166 336Z', '#f8ecd8'),
    shape('M0 590L180 470L400 570L640 420L900 590L1080 500L1280 600V720H0Z', '#8a4a45'),
    shape('M0 650C240 590 420 690 660 640S1060 600 1280 660V720H0Z', '#5b2327'),
  ].join('');
}

function sunrise() {
  const rays = Array.from({ length: 11 }, (_, ray) =>
    placed(640, 500, shape('M-9 -262L9 -262L22 -420L-22 -420Z', '#e0a03c'), -75 + ray * 15),
  );
  return [
    ground('#f6dfae'),
    ...rays,
    disc(640, 500, 215, '#c8612f'),
    disc(640, 500, 165, '#dd8a3a'),
    shape('M0 520C260 430 420 470 640 520S1040 560 1280 470V720H0Z', '#8c3b33'),
    shape('M0 620C300 540 560 600 760 630S1120 640 1280 590V720H0Z', '#5d1f26'),
  ].join('');
}

const PETAL = 'M0 0C-66 -70 -64 -170 0 -250C64 -170 66 -70 0 0Z';

function lotus() {
  const row = (turns: number[], fill: string, scale: number) =>
    turns.map((turn) => placed(640, 500, shape(PETAL, fill), turn, scale)).join('');
  return [
    ground('#1f4a52'),
    disc(640, 330, 250, '#2d6268'),
    shape('M0 520H1280V720H0Z', '#173a42'),
    row([-78, 78], '#a94a55', 1.15),
    row([-52, 52], '#c66468', 1.25),
    row([-27, 27], '#dd8a82', 1.3),
    row([0], '#f0b9a4', 1.3),
    row([-40, 40], '#e7a293', 0.85),
    row([-14, 14], '#f6d3bb', 0.8),
    shape('M470 500C540 546 740 546 810 500C780 560 500 560 470 500Z', '#7fa08a'),
    line('M250 596H480M560 620H760M830 590H1040M380 660H540M700 670H920', '#3f7a7d', 7),
  ].join('');
}

/** The endless knot: one line that passes over and under itself, back to where it began. */
function knot() {
  const gold = '#e2b35a';
  const behind = '#7d2331';
  const path = [
    'M-100 -130C-100 -215 0 -215 0 -130V130C0 215 100 215 100 130V-130',
    'C100 -235 235 -100 130 -100H-130C-215 -100 -215 0 -130 0H130C215 0 215 100 130 100H-130',
    'C-235 100 -100 235 -100 130Z',
  ].join('');
  const crossings = [-100, 0, 100].flatMap((x) => [-100, 0, 100].map((y) => ({ x, y })));
  const over = crossings.map(({ x, y }) => {
    const isLying = (x + y) % 200 === 0;
    const along = (half: number) =>
      isLying ? `M${x - half} ${y}h${2 * half}` : `M${x} ${y - half}v${2 * half}`;
    const strip = (half: number, stroke: string, width: number) =>
      `<path d="${along(half)}" stroke="${stroke}" stroke-width="${width}"/>`;
    return strip(27, behind, 56) + strip(40, gold, 34);
  });
  return [
    ground('#6b1a28'),
    disc(640, 360, 310, behind),
    placed(640, 360, line(path, gold, 34) + over.join(''), -45, 1.05),
  ].join('');
}

function lamps() {
  const lamp = [
    disc(0, -118, 92, '#6a2f22'),
    disc(0, -112, 58, '#8f4a26'),
    shape('M0 -186C34 -136 40 -96 0 -70C-40 -96 -34 -136 0 -186Z', '#f0a63c'),
    shape('M0 -146C16 -118 18 -92 0 -78C-18 -92 -16 -118 0 -146Z', '#fbe7b0'),
    shape(
      'M-92 -58H92C84 8 44 36 22 44V86C50 92 66 104 70 122H-70C-66 104 -50 92 -22 86V44C-44 36 -84 8 -92 -58Z',
      '#c98d3f',
    ),
    shape('M-92 -58H92L88 -34H-88Z', '#e5b766'),
    shape('M-22 58H22V74H-22Z', '#9a6428'),
  ].join('');
  return [
    ground('#35141a'),
    shape('M0 560H1280V720H0Z', '#4b1c20'),
    shape('M0 556H1280V572H0Z', '#8a5a2e'),
    ...[170, 405, 875, 1110].map((x) => placed(x, 450, lamp, 0, 0.9)),
    placed(640, 410, lamp, 0, 1.25),
  ].join('');
}

function river() {
  return [
    ground('#27385a'),
    disc(930, 190, 84, '#f1dfb6'),
    ...[
      [180, 120, 4],
      [340, 210, 3],
      [520, 90, 4],
      [700, 170, 3],
      [1130, 110, 4],
      [620, 280, 3],
      [90, 260, 3],
    ].map(([x = 0, y = 0, radius = 0]) => disc(x, y, radius, '#d8cba6')),
    shape('M0 400L190 300L360 390L520 320L700 420H0Z', '#3b4a70'),
    shape('M560 420L800 300L960 370L1110 310L1280 390V440H560Z', '#3b4a70'),
    shape('M0 410C220 380 420 420 610 424V720H0Z', '#4d3b4f'),
    shape('M1280 400C1040 390 820 410 700 426C760 520 980 600 1060 720H1280Z', '#4d3b4f'),
    shape(
      'M610 424H700C780 520 1000 590 1080 720H330C300 640 560 560 590 500C602 474 608 450 610 424Z',
      '#6f8fb0',
    ),
    line(
      'M622 470C640 480 660 480 684 472M560 560C640 580 720 570 800 560M470 640C600 670 780 660 920 640',
      '#d9dfe0',
      6,
    ),
  ].join('');
}

function flags() {
  const colours = ['#2f5d8f', '#f7efe0', '#b7342c', '#3d7a4f', '#e0a52f'];
  const row = (from: { x: number; y: number }, sag: number, to: { x: number; y: number }, size: number) => {
    const at = (share: number) => ({
      x: from.x + (to.x - from.x) * share,
      y: from.y + (to.y - from.y) * share + sag * 4 * share * (1 - share),
    });
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 + 2 * sag };
    const count = 11;
    const cloths = Array.from({ length: count }, (_, flag) => {
      const left = at((flag + 0.58) / (count + 0.6));
      const right = at((flag + 1.36) / (count + 0.6));
      const wave = flag % 2 === 0 ? 14 : -8;
      const cloth = `M${left.x} ${left.y}L${right.x} ${right.y}L${right.x + wave} ${right.y + size}Q${(left.x + right.x) / 2 + wave} ${(left.y + right.y) / 2 + size + wave} ${left.x + wave} ${left.y + size}Z`;
      return shape(cloth, colours[flag % colours.length] ?? '');
    });
    const cord = line(`M${from.x} ${from.y}Q${middle.x} ${middle.y} ${to.x} ${to.y}`, '#4a2a24', 5);
    return cloths.join('') + cord;
  };
  return [
    ground('#cfe0e2'),
    shape('M0 560L240 400L420 520L680 360L900 540L1080 450L1280 560V720H0Z', '#a8b9b8'),
    shape('M0 660C260 590 520 640 760 650S1120 610 1280 640V720H0Z', '#9c7a52'),
    row({ x: -30, y: 70 }, 90, { x: 1310, y: 10 }, 110),
    row({ x: -30, y: 330 }, 110, { x: 1310, y: 200 }, 132),
  ].join('');
}

function stupa() {
  const rings = Array.from({ length: 9 }, (_, ring) => {
    const half = 46 - ring * 4;
    const y = 268 - ring * 18;
    return shape(
      `M${640 - half} ${y}H${640 + half}L${640 + half - 3} ${y - 13}H${640 - half + 3}Z`,
      '#d29a3c',
    );
  });
  return [
    ground('#e9b872'),
    disc(640, 330, 270, '#f0cd92'),
    shape('M0 600C280 560 460 590 640 590S1030 560 1280 600V720H0Z', '#7a2f33'),
    shape('M400 592H880V640H400ZM436 548H844V592H436ZM472 506H808V548H472Z', '#f6ead6'),
    line('M400 592H880M436 548H844', '#cbab82', 5),
    shape('M486 506C470 400 520 330 640 330S810 400 794 506Z', '#fbf3e4'),
    shape('M560 268H720V334H560Z', '#f6ead6'),
    shape('M548 262H732V278H548Z', '#c05a3a'),
    line('M592 306Q610 292 628 306M652 306Q670 292 688 306', '#5b2327', 6),
    ...rings,
    shape('M600 110H680L664 94H616Z', '#c05a3a'),
    disc(640, 76, 17, '#d29a3c'),
    shape('M612 420C612 388 668 388 668 420V470H612Z', '#c05a3a'),
    shape('M0 650C300 620 520 640 760 650S1120 640 1280 650V720H0Z', '#5b2327'),
  ].join('');
}

/** Tara's blue lotus, the utpala, among leaves. */
function leaves() {
  const leaf = (x: number, y: number, turned: number, scale: number, fill: string, vein: string) =>
    placed(
      x,
      y,
      shape('M0 0C-70 -60 -72 -170 0 -260C72 -170 70 -60 0 0Z', fill) + line('M0 -14V-214', vein, 5),
      turned,
      scale,
    );
  const petal = (turned: number, scale: number, fill: string) =>
    placed(640, 380, shape('M0 0C-44 -60 -40 -160 0 -230C40 -160 44 -60 0 0Z', fill), turned, scale);
  return [
    ground('#dfe3c0'),
    disc(640, 300, 240, '#eef0d8'),
    line('M640 380C628 480 660 580 636 730', '#3d6a46', 16),
    leaf(636, 640, -62, 1.25, '#4f8257', '#7aa679'),
    leaf(642, 650, 58, 1.3, '#3f7350', '#6c9b74'),
    leaf(300, 730, -24, 1, '#6a9a66', '#96bb8b'),
    leaf(1000, 735, 22, 1.05, '#6a9a66', '#96bb8b'),
    leaf(140, 740, -38, 1.1, '#4f8257', '#7aa679'),
    leaf(1150, 740, 36, 1.1, '#4f8257', '#7aa679'),
    petal(-66, 1, '#274c7e'),
    petal(66, 1, '#274c7e'),
    petal(-36, 1.12, '#36639c'),
    petal(36, 1.12, '#36639c'),
    petal(0, 1.18, '#4f80b8'),
    petal(-18, 0.8, '#8db2d6'),
    petal(18, 0.8, '#8db2d6'),
    petal(0, 0.55, '#f2dd9a'),
  ].join('');
}
