/** Which two inks a variant is drawn in: the colour its name says, else the drawing's own. */
export const TONES = ['kelp', 'buoy', 'sand', 'slate', 'foam', 'navy', 'mustard', 'rust'] as const;
export type Tone = (typeof TONES)[number];

const WORDS: Record<string, Tone> = {
  kelp: 'kelp',
  green: 'kelp',
  olive: 'kelp',
  buoy: 'buoy',
  orange: 'buoy',
  coral: 'buoy',
  sand: 'sand',
  natural: 'sand',
  oak: 'sand',
  linen: 'sand',
  hemp: 'sand',
  slate: 'slate',
  grey: 'slate',
  gray: 'slate',
  graphite: 'slate',
  steel: 'slate',
  foam: 'foam',
  white: 'foam',
  ice: 'foam',
  mist: 'foam',
  cream: 'foam',
  navy: 'navy',
  blue: 'navy',
  ink: 'navy',
  mustard: 'mustard',
  yellow: 'mustard',
  ochre: 'mustard',
  rust: 'rust',
  red: 'rust',
  brick: 'rust',
  copper: 'rust',
};

const OWN: Record<string, Tone> = {
  lantern: 'rust',
  mug: 'foam',
  rope: 'sand',
  drybag: 'buoy',
  boots: 'kelp',
  print: 'kelp',
  blanket: 'slate',
  knife: 'rust',
  lamp: 'mustard',
  tin: 'buoy',
  tee: 'sand',
  cap: 'navy',
};

export function toneOf(art: string, skuName?: string): Tone {
  for (const word of skuName?.toLowerCase().split(/[^a-z]+/) ?? []) {
    const tone = WORDS[word];
    if (tone) return tone;
  }
  return OWN[art] ?? 'slate';
}
