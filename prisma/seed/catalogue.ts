/** The demo's assortment: three coastal shops. `units` is what comes in once; drawings are named by `art`. */
export interface SeedSku {
  readonly id: string;
  readonly name: string;
  readonly priceMinor: number;
  readonly units: number;
  /** Sold by the ledger alone. */
  readonly ordinary?: boolean;
  /** Units an order, and units a buyer in a day. */
  readonly limits?: { readonly order: number; readonly buyer: number };
}
export interface SeedProduct {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly art: string;
  readonly skus: readonly SeedSku[];
}
export interface SeedShop {
  readonly id: string;
  readonly name: string;
  readonly products: readonly SeedProduct[];
}

/** The SKU that demos and benchmarks fight over. */
export const HOT_SKU = { shopId: 'tidewater', skuId: 'STORM-TEE-M' } as const;

export const SHOPS: readonly SeedShop[] = [
  {
    id: 'tidewater',
    name: 'Tidewater Supply',
    products: [
      {
        id: 'storm-tee',
        name: 'Storm Warning Tee',
        art: 'tee',
        description: 'Heavy cotton, printed once with the two cones of a northerly gale. One run, no second printing.',
        skus: [
          { id: 'STORM-TEE-S', name: 'S', priceMinor: 2900, units: 40 },
          { id: 'STORM-TEE-M', name: 'M', priceMinor: 2900, units: 100 },
          { id: 'STORM-TEE-L', name: 'L', priceMinor: 2900, units: 0 },
        ],
      },
      {
        id: 'galley-mug',
        name: 'Galley Mug',
        art: 'mug',
        description: 'Enamelled steel with a rolled rim. Survives a drop on deck; the chip it gets is yours to keep.',
        skus: [
          { id: 'GALLEY-MUG-NAVY', name: 'Navy', priceMinor: 1650, units: 120 },
          { id: 'GALLEY-MUG-CREAM', name: 'Cream', priceMinor: 1650, units: 1 },
        ],
      },
      {
        id: 'mooring-rope',
        name: 'Mooring Rope, 10 m',
        art: 'rope',
        description: 'Three-strand hemp, spliced eye at one end. Smells of tar for the first month.',
        skus: [{ id: 'MOORING-ROPE-10', name: '', priceMinor: 3450, units: 200 }],
      },
    ],
  },
  {
    id: 'saltmarsh',
    name: 'Saltmarsh Press',
    products: [
      {
        id: 'low-tide-print',
        name: 'Low Tide',
        art: 'print',
        description: 'Two-colour linocut of the creeks at ebb, pulled by hand on 250 g cotton paper and numbered.',
        skus: [
          { id: 'LOW-TIDE-A3', name: 'A3', priceMinor: 4800, units: 60 },
          { id: 'LOW-TIDE-A2', name: 'A2', priceMinor: 7900, units: 20 },
        ],
      },
      {
        id: 'postcard-tin',
        name: 'Tin of Postcards',
        art: 'tin',
        description: 'Twenty-four letterpress cards of channel buoys, in the tin they should be kept in.',
        skus: [{ id: 'POSTCARD-TIN', name: '', priceMinor: 1990, units: 300, ordinary: true }],
      },
    ],
  },
  {
    id: 'northern-light',
    name: 'Northern Light Co.',
    products: [
      {
        id: 'gimbal-lamp',
        name: 'Gimbal Lamp',
        art: 'lamp',
        description: 'Brass oil lamp that hangs level in a seaway, and just as level on a kitchen wall.',
        skus: [{ id: 'GIMBAL-LAMP', name: '', priceMinor: 12900, units: 15, limits: { order: 1, buyer: 2 } }],
      },
      {
        id: 'rigging-knife',
        name: 'Rigging Knife',
        art: 'knife',
        description: 'Sheepsfoot blade and marlinspike in one handle. Opens with a cold hand.',
        skus: [{ id: 'RIGGING-KNIFE', name: '', priceMinor: 5400, units: 75 }],
      },
      {
        id: 'watch-cap',
        name: 'Watch Cap',
        art: 'cap',
        description: 'Ribbed wool, long enough to turn up twice. Knitted for the four-to-eight.',
        skus: [{ id: 'WATCH-CAP', name: '', priceMinor: 2400, units: 150 }],
      },
    ],
  },
];

/** Coupons of the demo: `value` is percent, or minor units of the currency. */
export const COUPONS = [
  { code: 'HARBOUR10', kind: 'PERCENT', value: 10, currency: null, usageLimit: 1000 },
  { code: 'FIVER', kind: 'FIXED', value: 500, currency: 'EUR', usageLimit: 100 },
] as const;
