/** A guest becomes a row when something is first written for them; a second call changes nothing. */
import type { Prisma } from '../../platform/prisma/client.ts';

export async function ensureBuyer(prisma: Prisma.TransactionClient, buyerId: string): Promise<void> {
  await prisma.$executeRaw`INSERT INTO tinystore_order.buyer (id) VALUES (${buyerId}::uuid) ON CONFLICT DO NOTHING`;
}
