'use client';
// A client part, so that its many paths travel once, as HTML, and not a second time as data.
/** The home page's picture: a shore in section, with the plant that gave the shop its name holding to its rock. */
import { drawPlant, type Plant } from './kelp.ts';

const BACK: readonly Plant[] = [
  { x: 612, base: 664, height: 216, sway: 16, leaves: 8 },
  { x: 735, base: 640, height: 240, sway: -18, leaves: 9 },
  { x: 905, base: 614, height: 226, sway: 20, leaves: 9 },
  { x: 1045, base: 598, height: 206, sway: -16, leaves: 8 },
  { x: 1160, base: 588, height: 190, sway: 14, leaves: 7 },
];
const FRONT: readonly Plant[] = [
  { x: 675, base: 664, height: 262, sway: -26, leaves: 10 },
  { x: 838, base: 632, height: 274, sway: 30, leaves: 11 },
  { x: 985, base: 610, height: 246, sway: -28, leaves: 10 },
  { x: 1108, base: 590, height: 218, sway: 24, leaves: 9 },
];

function Kelp({ plant, ink, front }: { plant: Plant; ink: string; front: boolean }) {
  const { stalk, leaves, roots } = drawPlant(plant);
  return (
    <g className={ink}>
      {front && <path className="root-line" d={roots} />}
      {front && <path className="root" d={roots} />}
      <path className="stalk" d={stalk} />
      {leaves.map((d) => (
        <path key={d} className="leaf" d={d} />
      ))}
    </g>
  );
}

/** Above the water, from far to near. */
function Land() {
  return (
    <>
      <rect className="sky" width="1200" height="740" />
      <circle className="sun" cx="1010" cy="286" r="62" />
      <path
        className="cloud"
        d="M742 176c16-14 40-10 48 2 14-8 34-2 38 12h60c10 0 10 12 0 12H730c-12 0-12-14 0-16zM1040 128c10-10 28-8 34 2 10-5 24 0 26 9h40c8 0 8 9 0 9h-104c-9 0-9-11 4-20z"
      />
      <path
        className="far"
        d="M560 338c70-10 110-44 176-46 54-2 76 18 130 20 48 2 82-14 140-10 74 6 120 22 194 18v40H560z"
      />
      <path className="near" d="M900 344c50-6 78-34 130-34s110 22 170 24v30H900z" />
      <path className="tower" d="M1096 314l7-80h22l7 80z" />
      <path className="lamp" d="M1101 234v-17h26v17z" />
      <path className="tower" d="M1099 217l15-16 15 16z" />
      <path className="band" d="M1101 262h26l2 20h-30z" />
    </>
  );
}

export function Shore({ className = '' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 1200 740"
      preserveAspectRatio="xMaxYMax slice"
      aria-hidden="true"
      className={`shore ${className}`}
    >
      <Land />
      <path className="sea-1" d="M0 344c90-12 150 10 240 4s150-16 250-6 170 14 260 4 170-14 260-4 130 8 190 2v400H0z" />
      <path
        className="crest"
        d="M40 372c30-6 50 6 80 0M300 384c30-6 50 6 80 0M560 368c30-6 50 6 80 0M1010 374c30-6 50 6 80 0M160 404c30-6 50 6 80 0"
      />
      <g className="boat">
        <path className="sail" d="M486 336V258c32 18 50 48 54 78z" />
        <path className="sail-2" d="M478 336v-62c-24 18-36 38-40 62z" />
        <path className="hull" d="M424 342h126c-4 18-16 26-32 26h-66c-14 0-24-12-28-26z" />
      </g>
      <path className="sea-2" d="M0 450c120-20 220 16 360 6s240-26 380-8 260 12 460-8v300H0z" />
      {BACK.map((plant) => (
        <Kelp key={plant.x} plant={plant} ink="kelp-back" front={false} />
      ))}
      <path className="sea-3" d="M0 560c160-16 260 18 420 10s300-28 460-18 220 8 320-6v194H0z" />
      <path
        className="rock"
        transform="translate(0 140)"
        d="M440 600c20-34 60-44 96-48 44-6 50-32 96-36 50-4 70 12 104-2 36-16 40-34 92-34 60 0 66 10 110-8 40-16 60-28 110-26 60 2 92-12 152-10v164z"
      />
      <path
        className="rock-2"
        transform="translate(0 140)"
        d="M560 600c34-20 60-12 96-26 42-16 70-10 112-26s80-8 120-22 92-28 140-26 110-12 172-10v110z"
      />
      {FRONT.map((plant) => (
        <Kelp key={plant.x} plant={plant} ink="kelp-front" front />
      ))}
      <path
        className="fish"
        transform="translate(-60 150)"
        d="M560 362c14-12 34-12 46 0l12-8v16l-12-8c-12 12-32 12-46 0zM622 402c11-9 26-9 36 0l9-6v12l-9-6c-10 9-25 9-36 0z"
      />
      <pattern id="shore-grain" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(24)">
        <path className="speck" d="M1 1h1.200v1.200H1zM6 5h1v1H6z" />
      </pattern>
      <rect width="1200" height="740" fill="url(#shore-grain)" />
    </svg>
  );
}
