/** Writes protobuf fields of the ONNX format (onnx.proto, IR version 7): enough for models of two operators. */
type Field = [number: number, value: number | string | Uint8Array];

const FLOAT = 1;
const INT64 = 7;
const INPUTS = ['input_ids', 'attention_mask', 'token_type_ids'];

function message(...fields: Field[]): Uint8Array {
  const parts = fields.map(([number, value]) => {
    if (typeof value === 'number') return Buffer.concat([varint(number << 3), varint(value)]);
    const bytes = typeof value === 'string' ? Buffer.from(value) : value;
    return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
  });
  return Buffer.concat(parts);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}

function valueInfo(name: string, elementType: number, dimensions: (string | number)[]): Uint8Array {
  const dims = dimensions.map((value): Field => [1, typeof value === 'string' ? message([2, value]) : message([1, value])]);
  return message([1, name], [2, message([1, message([1, elementType], [2, message(...dims)])])]);
}

function gather(output: string): Uint8Array {
  return message([1, 'table'], [1, 'input_ids'], [2, output], [4, 'Gather']);
}

function model(table: Float32Array, width: number, nodes: Uint8Array[], output: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(table.buffer, table.byteOffset, table.byteLength);
  const initializer = message([1, table.length / width], [1, width], [2, FLOAT], [8, 'table'], [9, bytes]);
  const graph = message(
    ...nodes.map((node): Field => [1, node]),
    [2, 'tiny'],
    [5, initializer],
    ...INPUTS.map((name): Field => [11, valueInfo(name, INT64, ['batch', 'sequence'])]),
    [12, output],
  );
  return message([1, 7], [7, graph], [8, message([1, ''], [2, 11])]);
}

/** An encoder in the shape of a BERT export whose hidden state of a token is its row of the table. */
export function tinyEncoder(table: Float32Array, width: number): Uint8Array {
  return model(table, width, [gather('last_hidden_state')], valueInfo('last_hidden_state', FLOAT, ['batch', 'sequence', width]));
}

/** A cross-encoder whose logit is the sum of its tokens' numbers in the table. */
export function tinyCrossEncoder(table: Float32Array): Uint8Array {
  const axes = message([1, 'axes'], [8, 1], [20, 7]);
  const keep = message([1, 'keepdims'], [3, 0], [20, 2]);
  const sum = message([1, 'rows'], [2, 'logits'], [4, 'ReduceSum'], [5, axes], [5, keep]);
  return model(table, 1, [gather('rows'), sum], valueInfo('logits', FLOAT, ['batch', 1]));
}
