/* tslint:disable */
/* eslint-disable */

export function __wbg_reset_state(): void;

/**
 * Rules F6, F7.
 */
export function answerForm(schema: any, answer: any, words: any): any;

/**
 * Section 6.
 */
export function inputForm(schema: any): any;

/**
 * Sets what is called with the message of a panic, before the instance is lost.
 */
export function onPanic(handler: Function): void;

/**
 * Panics: what the tests of rule W5 call.
 */
export function panicForTest(): void;

/**
 * Section 11.
 */
export function present(conversation: any, reader: any, waiting: any, options: any): any;

/**
 * The version of the component.
 */
export function version(): string;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly answerForm: (a: any, b: any, c: any) => [number, number, number];
    readonly inputForm: (a: any) => [number, number, number];
    readonly onPanic: (a: any) => void;
    readonly panicForTest: () => void;
    readonly present: (a: any, b: any, c: any, d: any) => [number, number, number];
    readonly version: () => [number, number];
    readonly __wbindgen_exn_store: (a: number) => void;
    readonly __externref_table_alloc: () => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path?: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
