/** Gate keys (design section 5), built here alone. The shop is the hash tag, so one call's keys share a slot (C46). */
export interface SkuRef {
  readonly shopId: string;
  readonly skuId: string;
}

/** total, deducted, uncommit, version, epoch: the order every script expects. */
export function skuKeys({ shopId, skuId }: SkuRef): [string, string, string, string, string] {
  const tail = `:{${shopId}}:${skuId}`;
  return [
    `inventory:total${tail}`,
    `inventory:deducted${tail}`,
    `inventory:uncommit${tail}`,
    `inventory:version${tail}`,
    `inventory:epoch${tail}`,
  ];
}

export function epochKey(sku: SkuRef): string {
  return skuKeys(sku)[4];
}
