/* tslint:disable */
/* eslint-disable */

/**
 * The engine over one host.
 */
export class Engine {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * See the contract.
     */
    claim(uid: any): Promise<any>;
    /**
     * See the contract.
     */
    cleanup(): Promise<any>;
    /**
     * See the contract.
     */
    createConversation(actor: any, input: any): Promise<any>;
    /**
     * See the contract.
     */
    editMessage(uid: any, actor: any, index: any, input: any): Promise<any>;
    /**
     * See the contract.
     */
    endProcess(uid: any, actor: any): Promise<any>;
    /**
     * An engine over a host.
     */
    constructor(host: any, settings: any);
    /**
     * See the contract.
     */
    poll(uid: any, actor: any, after: any): Promise<any>;
    /**
     * `processConversation`, or `resumeConversation` where `resumes`.
     */
    process(uid: any, claim_id: any, resumes: boolean): Promise<any>;
    /**
     * See the contract.
     */
    reconcile(uid: any): Promise<any>;
    /**
     * See the contract.
     */
    recordDecision(uid: any, actor: any, decision: any): Promise<any>;
    /**
     * See the contract.
     */
    recordInput(uid: any, actor: any, answer: any): Promise<any>;
    /**
     * See the contract.
     */
    retry(uid: any, actor: any): Promise<any>;
    /**
     * See the contract.
     */
    runNext(worker_id: any): Promise<any>;
    /**
     * See the contract.
     */
    sendMessage(uid: any, actor: any, input: any): Promise<any>;
}

export function __wbg_reset_state(): void;

/**
 * Rules F6, F7.
 */
export function answerForm(schema: any, answer: any, words: any): any;

/**
 * Section 7.
 */
export function buildTranscript(input: any): any;

/**
 * Rules V7, V8.
 */
export function claimsChange(text: string): boolean;

/**
 * Section 6.
 */
export function inputForm(schema: any): any;

/**
 * Rules N2, V8.
 */
export function isContinueIntent(text: string): boolean;

/**
 * Section 4.
 */
export function mapOutcome(conversation: any, result: any, options: any): any;

/**
 * Section 5, table D7.
 */
export function mapRefusal(conversation: any, refusal: any, kind: any): any;

/**
 * Rules S4, S7.
 */
export function mayTransition(from: string, to: string, rule_set?: string | null): boolean;

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
 * Rule E1.
 */
export function sanitizeError(text: string, max_length?: number | null): string;

/**
 * Rules S2, S3.
 */
export function statusRules(name: string): any;

/**
 * The version of the component.
 */
export function version(): string;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_engine_free: (a: number, b: number) => void;
    readonly answerForm: (a: any, b: any, c: any) => [number, number, number];
    readonly buildTranscript: (a: any) => [number, number, number];
    readonly claimsChange: (a: number, b: number) => number;
    readonly engine_claim: (a: number, b: any) => any;
    readonly engine_cleanup: (a: number) => any;
    readonly engine_createConversation: (a: number, b: any, c: any) => any;
    readonly engine_editMessage: (a: number, b: any, c: any, d: any, e: any) => any;
    readonly engine_endProcess: (a: number, b: any, c: any) => any;
    readonly engine_new: (a: any, b: any) => [number, number, number];
    readonly engine_poll: (a: number, b: any, c: any, d: any) => any;
    readonly engine_process: (a: number, b: any, c: any, d: number) => any;
    readonly engine_reconcile: (a: number, b: any) => any;
    readonly engine_recordDecision: (a: number, b: any, c: any, d: any) => any;
    readonly engine_recordInput: (a: number, b: any, c: any, d: any) => any;
    readonly engine_retry: (a: number, b: any, c: any) => any;
    readonly engine_runNext: (a: number, b: any) => any;
    readonly engine_sendMessage: (a: number, b: any, c: any, d: any) => any;
    readonly inputForm: (a: any) => [number, number, number];
    readonly isContinueIntent: (a: number, b: number) => number;
    readonly mapOutcome: (a: any, b: any, c: any) => [number, number, number];
    readonly mapRefusal: (a: any, b: any, c: any) => [number, number, number];
    readonly mayTransition: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly onPanic: (a: any) => void;
    readonly panicForTest: () => void;
    readonly present: (a: any, b: any, c: any, d: any) => [number, number, number];
    readonly sanitizeError: (a: number, b: number, c: number, d: number) => [number, number];
    readonly statusRules: (a: number, b: number) => any;
    readonly version: () => [number, number];
    readonly wasm_bindgen__convert__closures_____invoke__h0a2ce8f084cfc386: (a: number, b: number, c: number, d: number) => void;
    readonly wasm_bindgen__convert__closures_____invoke__h320ecb5db62575a7: (a: number, b: number, c: any, d: any) => void;
    readonly wasm_bindgen__convert__closures_____invoke__h3f7e1f4e3098579e: (a: number, b: number, c: any) => [number, number];
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __externref_table_alloc: () => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_exn_store: (a: number) => void;
    readonly __externref_drop_slice: (a: number, b: number) => void;
    readonly __wbindgen_destroy_closure: (a: number, b: number) => void;
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
