/** One family of flat product drawings; decorative, so hidden from readers of the page. */
import type { ComponentType } from 'react';
import { Blanket, Knife, Lamp, Lantern, Mug, Print, Tin } from './cabin-drawings.tsx';
import { Boots, Drybag, Rope, Tee, WatchCap } from './deck-drawings.tsx';
import { toneOf } from './tones.ts';

const DRAWINGS: Record<string, ComponentType> = {
  lantern: Lantern,
  mug: Mug,
  rope: Rope,
  drybag: Drybag,
  boots: Boots,
  print: Print,
  blanket: Blanket,
  knife: Knife,
  lamp: Lamp,
  tin: Tin,
  tee: Tee,
  cap: WatchCap,
};

export interface ArtProps {
  /** Name of the drawing, as the catalogue says it. */
  readonly art: string;
  readonly skuName?: string | undefined;
  readonly className?: string;
  /** With a shadow on the ground; off in small sizes. */
  readonly printed?: boolean;
}

export function Art({ art, skuName, className = '', printed = false }: ArtProps) {
  const Drawing = DRAWINGS[art] ?? Print;
  return (
    <svg viewBox="0 0 160 160" aria-hidden="true" className={`art tone-${toneOf(art, skuName)} ${className}`}>
      {printed && <ellipse className="ground" cx="82" cy="142" rx="56" ry="7" />}
      <Drawing />
    </svg>
  );
}
