/** The broker behind an `Io`: a send is one step, however many messages it carries. */
import type { Producer } from '../../stream/index.ts';
import { type Io, NoReply } from './io.ts';

export function watchProducer(producer: Producer, io: Io): Producer {
  return {
    ...producer,
    send: (messages) =>
      io({ server: 'kafka', what: `send ${messages.length}` }, () => producer.send(messages)).catch(
        (error: unknown) => {
          throw error instanceof NoReply ? new Error('Request Produce timed out') : error;
        },
      ),
  };
}
