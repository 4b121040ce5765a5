import { router } from '../init.ts';
import { cancel } from './cancel.ts';
import { extend } from './extend.ts';
import { list } from './list.ts';
import { payment } from './payment.ts';
import { place } from './place.ts';
import { read } from './read.ts';
import { receive } from './receive.ts';
import { requestReturnProcedure } from './request-return.ts';
import { startPaymentProcedure } from './start-payment.ts';

export const orderRouter = router({
  place,
  read,
  list,
  cancel,
  startPayment: startPaymentProcedure,
  extend,
  payment,
  receive,
  requestReturn: requestReturnProcedure,
});
