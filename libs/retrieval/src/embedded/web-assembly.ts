/** Memory that WebAssembly code and threads share. */
export interface WasmMemory {
  readonly buffer: SharedArrayBuffer;
}

/** Compiled code, not yet bound to a memory. */
export type WasmModule = object;

/** The part of the WebAssembly interface that the engine uses; Node's own types leave it to the browser's. */
interface WasmInterface {
  Memory: new (pages: { initial: number; maximum: number; shared: true }) => WasmMemory;
  Module: new (bytes: Uint8Array) => WasmModule;
  Instance: new (module: WasmModule, imports: Record<string, Record<string, WasmMemory>>) => { exports: Record<string, unknown> };
}

/** WebAssembly of this process. */
export const webAssembly = (globalThis as unknown as { WebAssembly: WasmInterface }).WebAssembly;
