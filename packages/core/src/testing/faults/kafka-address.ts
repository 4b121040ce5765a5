/** A broker tells its clients where it is; behind a link it must name the link. Same length, so the frame stays whole. */
const HOST = Buffer.from('127.0.0.1');

export function nameLink(brokerPort: number): (bytes: Buffer, linkPort: number) => Buffer {
  return (bytes, linkPort) => {
    const spoken = addressOf(brokerPort);
    for (let at = bytes.indexOf(spoken); at !== -1; at = bytes.indexOf(spoken, at + spoken.length))
      bytes.writeInt32BE(linkPort, at + HOST.length);
    return bytes;
  };
}

function addressOf(port: number): Buffer {
  const number = Buffer.alloc(4);
  number.writeInt32BE(port);
  return Buffer.concat([HOST, number]);
}

/** The request's kind stands behind its length. */
export const isOffsetCommit = (bytes: Buffer) => bytes.length > 6 && bytes.readInt16BE(4) === 8;
