/** One family of flat product drawings; decorative, so hidden from readers of the page. */
import { useId } from 'react';
import type { ComponentType } from 'react';
import { Blanket, Kettle, Knife, Lamp, Lantern, Mug, Print, Tin } from './cabin-drawings.tsx';
import { Beanie, Boots, Drybag, Jacket, Jumper, Rope, Tee, WatchCap } from './deck-drawings.tsx';
import { toneOf } from './tones.ts';

const DRAWINGS: Record<string, ComponentType> = {
  lantern: Lantern, mug: Mug, rope: Rope, kettle: Kettle, jumper: Jumper, beanie: Beanie, drybag: Drybag, jacket: Jacket, boots: Boots, print: Print, blanket: Blanket, knife: Knife, lamp: Lamp, tin: Tin, tee: Tee, cap: WatchCap,
};

export interface ArtProps {
  /** Name of the drawing, as the catalogue says it. */
  readonly art: string;
  readonly skuName?: string | undefined;
  readonly className?: string;
  /** Paper grain and a ground shadow; off in small sizes. */
  readonly printed?: boolean;
}

export function Art({ art, skuName, className = '', printed = false }: ArtProps) {
  const grain = useId();
  const Drawing = DRAWINGS[art] ?? Print;
  return (
    <svg viewBox="0 0 160 160" aria-hidden="true" className={`art tone-${toneOf(art, skuName)} ${className}`}>
      {printed && <ellipse className="ground" cx="82" cy="142" rx="56" ry="7" />}
      <Drawing />
      {printed && (
        <>
          <pattern id={grain} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(28)">
            <path className="grain" d="M1 1h1.1v1.1H1zM4.6 4h0.9v0.9h-0.9z" />
          </pattern>
          <rect className="bare" width="160" height="160" fill={`url(#${grain})`} />
        </>
      )}
    </svg>
  );
}
