/** The home page's picture: a shore in section, with the plant that gave the shop its name holding to its rock. */
import { drawPlant, type Plant } from './kelp.ts';

const BACK: readonly Plant[] = [
  { x: 610, base: 520, height: 250, sway: 16, leaves: 9 },
  { x: 735, base: 500, height: 280, sway: -18, leaves: 10 },
  { x: 905, base: 470, height: 270, sway: 20, leaves: 10 },
  { x: 1045, base: 452, height: 240, sway: -16, leaves: 9 },
  { x: 1160, base: 440, height: 230, sway: 14, leaves: 8 },
];
const FRONT: readonly Plant[] = [
  { x: 675, base: 524, height: 300, sway: -26, leaves: 11 },
  { x: 838, base: 492, height: 318, sway: 30, leaves: 12 },
  { x: 985, base: 470, height: 284, sway: -28, leaves: 11 },
  { x: 1108, base: 450, height: 258, sway: 24, leaves: 10 },
];

function Kelp({ plant, ink, front }: { plant: Plant; ink: string; front: boolean }) {
  const { stalk, leaves, roots } = drawPlant(plant);
  return (
    <g className={ink}>
      {front && <path className="root-line" d={roots} />}
      {front && <path className="root" d={roots} />}
      <path className="stalk" d={stalk} />
      {leaves.map((d) => <path key={d} className="leaf" d={d} />)}
    </g>
  );
}

export function Shore({ className = '' }: { className?: string }) {
  return (
    <svg viewBox="0 0 1200 600" preserveAspectRatio="xMaxYMax slice" aria-hidden="true" className={`shore ${className}`}>
      <rect className="sky" width="1200" height="600" />
      <circle className="sun" cx="985" cy="104" r="46" />
      <path className="far" d="M640 176c60-10 92-44 150-46 44-2 66 20 112 22 40 2 70-14 120-10 66 6 110 22 178 20v30H640z" />
      <path className="near" d="M930 176c40-6 66-30 112-30s92 22 158 24v24H930z" />
      <path className="tower" d="M1066 147l5-62h18l5 62z" />
      <path className="lamp" d="M1070 85v-14h20v14z" />
      <path className="tower" d="M1068 71l12-13 12 13z" />
      <path className="band" d="M1069 112h22l1.500 16h-25z" />
      <path className="sea-1" d="M0 178c90-12 150 10 240 4s150-16 250-6 170 14 260 4 170-14 260-4 130 8 190 2v422H0z" />
      <path className="crest" d="M40 204c30-6 50 6 80 0M300 214c30-6 50 6 80 0M552 200c30-6 50 6 80 0M1010 206c30-6 50 6 80 0M160 232c30-6 50 6 80 0" />
      <g className="boat">
        <path className="sail" d="M486 172V98c30 16 46 44 50 74z" />
        <path className="sail-2" d="M478 172v-58c-22 16-32 36-36 58z" />
        <path className="hull" d="M430 178h118c-4 16-14 24-30 24h-62c-14 0-22-10-26-24z" />
      </g>
      <path className="sea-2" d="M0 300c120-20 220 16 360 6s240-26 380-8 260 12 460-8v310H0z" />
      {BACK.map((plant) => <Kelp key={plant.x} plant={plant} ink="kelp-back" front={false} />)}
      <path className="sea-3" d="M0 420c160-16 260 18 420 10s300-28 460-18 220 8 320-6v194H0z" />
      <path className="rock" d="M440 600c20-34 60-44 96-48 44-6 50-32 96-36 50-4 70 12 104-2 36-16 40-34 92-34 60 0 66 10 110-8 40-16 60-28 110-26 60 2 92-12 152-10v164z" />
      <path className="rock-2" d="M560 600c34-20 60-12 96-26 42-16 70-10 112-26s80-8 120-22 92-28 140-26 110-12 172-10v110z" />
      {FRONT.map((plant) => <Kelp key={plant.x} plant={plant} ink="kelp-front" front />)}
      <path className="fish" d="M560 362c14-12 34-12 46 0l12-8v16l-12-8c-12 12-32 12-46 0zM622 402c11-9 26-9 36 0l9-6v12l-9-6c-10 9-25 9-36 0z" />
      <pattern id="shore-grain" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(24)">
        <path className="speck" d="M1 1h1.200v1.200H1zM6 5h1v1H6z" />
      </pattern>
      <rect width="1200" height="600" fill="url(#shore-grain)" />
    </svg>
  );
}
