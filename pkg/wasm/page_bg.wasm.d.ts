/* tslint:disable */
/* eslint-disable */
export const memory: WebAssembly.Memory;
export const answerForm: (a: any, b: any, c: any) => [number, number, number];
export const inputForm: (a: any) => [number, number, number];
export const onPanic: (a: any) => void;
export const panicForTest: () => void;
export const present: (a: any, b: any, c: any, d: any) => [number, number, number];
export const version: () => [number, number];
export const __wbindgen_exn_store: (a: number) => void;
export const __externref_table_alloc: () => number;
export const __wbindgen_externrefs: WebAssembly.Table;
export const __wbindgen_malloc: (a: number, b: number) => number;
export const __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
export const __wbindgen_free: (a: number, b: number, c: number) => void;
export const __externref_table_dealloc: (a: number) => void;
export const __wbindgen_start: () => void;
