import { CODE_PATTERN, UUID_PATTERN } from '@holdfast/core/domain';
import { FIGURE_NAMES, ROW_LISTS, type RowList } from '@holdfast/core/reconcile';
import { z } from 'zod';

const sku = { shopId: z.string().regex(CODE_PATTERN), skuId: z.string().regex(CODE_PATTERN) };
/** A past instant, one that PostgreSQL knows; now when left out. */
const at = z.date().min(new Date('2000-01-01')).max(new Date('2200-01-01')).optional();
const BY_RESERVATION: ReadonlySet<RowList> = new Set(['reserved', 'onItsWay']);
const NUMBER = /^\d{1,15}$/;

export const explainInput = z.object({ ...sku, figure: z.enum(FIGURE_NAMES), at });
export const figureRowsInput = z
  .object({
    ...sku,
    list: z.enum(ROW_LISTS),
    at,
    cursor: z.string().max(40).optional(),
    limit: z.number().int().min(1).max(200).default(50),
  })
  .refine(
    ({ list, cursor }) => cursor === undefined || (BY_RESERVATION.has(list) ? UUID_PATTERN : NUMBER).test(cursor),
    {
      message: 'a cursor of this list',
      path: ['cursor'],
    },
  );
