/*
 * Payload codecs in JavaScript, as makers of devices publish them: TS013-1.0.0, "LoRaWAN Payload
 * Codec API Specification" (LoRa Alliance), the JavaScript binding.
 *
 * | function              | input                        | output                        |
 * |-----------------------|------------------------------|-------------------------------|
 * | decodeUplink(input)   | bytes, fPort, recvTime       | data, errors, warnings        |
 * | encodeDownlink(input) | data                         | bytes, fPort, errors, warnings |
 * | decodeDownlink(input) | bytes, fPort                 | data, errors, warnings        |
 *
 * `bytes` is an array of 0 to 255, `recvTime` a Date. A call with any `errors` has failed.
 * ChirpStack adds `variables` to each input and `Buffer` to the globals; so does this service, which also
 * takes ES modules that import nothing but `Buffer`.
 */

export type CodecFunction =
  | 'decodeUplink'
  | 'encodeDownlink'
  | 'decodeDownlink'
  // The Things Stack: what the data of decodeUplink is, by names that all makers share.
  | 'normalizeUplink'

/** Why a call gave no result. Only `limit` counts as a fault of the codec against others. */
export type CodecFailure = 'error' | 'limit' | 'busy'

/**
 * The result of a call: the text of a JSON object, or the reason why there is none. `nulls` of the object lists
 * values that have become null, as `data.level is NaN`.
 */
export type CodecOutcome =
  | { ok: true; text: string }
  | { ok: false; failure: CodecFailure; message: string }

export interface CodecLimits {
  /**
   * The memory of the interpreter, in bytes. A codec can use all but 6 MB of it: the stack of the
   * WebAssembly instance takes 5 MB, and the state before a codec is loaded 0.6 MB.
   */
  memory: number
  /** The stack of the interpreter, in bytes: some 300 nested calls for each 100 kB. */
  stack: number
  /** Processor time of one call, in milliseconds. Clock time would depend on the load of the machine. */
  milliseconds: number
  /** Interrupt checks of QuickJS during one call, one for every 10,000 jumps and calls. */
  turns: number
  /** The most characters of a result. */
  resultLength: number
  /** The most memory of a loaded codec, in bytes: each worker caches many. */
  imageLength: number
  /** The most memory of all loaded codecs of a sandbox, with their sources, in bytes. */
  cacheLength: number
}

export const defaultCodecLimits: CodecLimits = {
  memory: 24 * 1024 * 1024,
  stack: 256 * 1024,
  milliseconds: 100,
  turns: 2000,
  resultLength: 64 * 1024,
  imageLength: 4 * 1024 * 1024,
  cacheLength: 48 * 1024 * 1024,
}

/** The longest source of a codec, in bytes of UTF-8. */
export const longestSource = 256 * 1024

export interface CodecCall {
  source: string
  name: Exclude<CodecTask, 'parse'>
  /** JSON of the input, `recvTime` as ISO 8601. */
  input: string
  /** The time zone of `Date`, as Europe/Lisbon; UTC if left out. */
  timeZone?: string | undefined
}

/**
 * A task of a worker: call a function of the codec; list the functions that the codec has (`text` is
 * an object with true or false for each); or only parse the codec (`text` is `null`).
 */
export type CodecTask = CodecFunction | 'functions' | 'parse'

/** Sent to a worker: tasks for one codec, performed in this order. */
export interface CodecBatch {
  source: string
  tasks: { name: CodecTask; input: string; timeZone?: string | undefined }[]
}

/** Sent by a worker: the outcomes of the first tasks, of all unless its time was up. */
export interface CodecAnswer {
  outcomes: CodecOutcome[]
}
