const NEWLINE = 0x0a;

/**
 * Cuts a stream of bytes into lines, without their ends; what follows the last end of line is not given out.
 *
 * @throws RangeError where a line is longer than `mostBytes`: nothing that long is sent by a server that means well.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, mostBytes: number): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...held, chunk.subarray(start, end)]);
      held = [];
      size = 0;
      start = end + 1;
    }
    held.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > mostBytes) throw new RangeError(`a line of more than ${mostBytes} bytes`);
  }
}
