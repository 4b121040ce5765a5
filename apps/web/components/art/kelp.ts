/** Geometry of one kelp plant: a bent stalk, leaves on alternating sides, a root that grips. Whole numbers only. */
export interface Plant {
  readonly x: number;
  readonly base: number;
  readonly height: number;
  readonly sway: number;
  readonly leaves: number;
}

export interface PlantPaths {
  readonly stalk: string;
  readonly leaves: readonly string[];
  readonly roots: string;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function along(plant: Plant, t: number): Point {
  const bend = Math.sin(t * Math.PI * 1.35) * plant.sway;
  return { x: plant.x + bend + plant.sway * t * 0.4, y: plant.base - plant.height * t };
}

const at = ({ x, y }: Point) => `${Math.round(x)} ${Math.round(y)}`;

function leaf(from: Point, side: number, length: number): string {
  const tip = { x: from.x + side * length, y: from.y - length * 0.62 };
  const upper = { x: from.x + side * length * 0.25, y: from.y - length * 0.62 };
  const lower = { x: from.x + side * length * 0.75, y: from.y - length * 0.08 };
  return `M${at(from)}Q${at(upper)} ${at(tip)}Q${at(lower)} ${at(from)}z`;
}

export function drawPlant(plant: Plant): PlantPaths {
  const steps = 12;
  const points = Array.from({ length: steps + 1 }, (_, i) => along(plant, i / steps));
  const stalk = `M${points.map(at).join('L')}`;
  const leaves = Array.from({ length: plant.leaves }, (_, i) => {
    const t = 0.2 + (0.8 * i) / plant.leaves;
    return leaf(along(plant, t), i % 2 === 0 ? 1 : -1, plant.height * (0.2 - t * 0.08));
  });
  const top = points[steps] ?? { x: plant.x, y: plant.base };
  leaves.push(
    leaf(top, plant.sway > 0 ? 1 : -1, plant.height * 0.15),
    leaf(top, plant.sway > 0 ? -0.5 : 0.5, plant.height * 0.13),
  );
  const grip = [-26, -14, -3, 9, 22]
    .map((dx, i) => `M${plant.x} ${plant.base - 16}q${Math.round(dx * 0.3)} 12 ${dx} ${i % 2 === 0 ? 22 : 26}`)
    .join('');
  return { stalk, leaves, roots: grip };
}
