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
 * `bytes` is an array of 0 to 255, `recvTime` a Date. With anything in `errors` the call failed.
 * ChirpStack adds `variables` to each input and `Buffer` to the globals; so does this service.
 */

export type CodecFunction = 'decodeUplink' | 'encodeDownlink' | 'decodeDownlink'

/** Why a call gave no result. `limit` alone speaks against the codec as a neighbour. */
export type CodecFailure = 'error' | 'limit' | 'busy'

/** What a call gave: the text of a JSON object, or a sentence that says why there is none. */
export type CodecOutcome =
  | { ok: true; text: string }
  | { ok: false; failure: CodecFailure; message: string }

export interface CodecLimits {
  /**
   * The whole memory of the interpreter, in bytes, of which a codec has all but 6 MB: 5 MB are the
   * stack of the WebAssembly instance, and 0.4 MB what is there before a codec is loaded.
   */
  memory: number
  /** The stack of the interpreter, in bytes: some 300 nested calls for each 100 kB. */
  stack: number
  /** Processor time of one call, in milliseconds; not the clock's, which a busy machine stretches. */
  milliseconds: number
  /** Jumps and calls of one call, in turns of 10,000: how often QuickJS asks whether to go on. */
  turns: number
  /** Characters of a result. */
  resultLength: number
  /** What a codec may hold once it is loaded, in bytes: each worker keeps that of many. */
  imageLength: number
}

export const defaultCodecLimits: CodecLimits = {
  memory: 24 * 1024 * 1024,
  stack: 256 * 1024,
  milliseconds: 100,
  turns: 2000,
  resultLength: 64 * 1024,
  imageLength: 4 * 1024 * 1024,
}

/** The most that the source of a codec may have, in bytes of UTF-8. */
export const longestSource = 256 * 1024

export interface CodecCall {
  source: string
  name: Exclude<CodecTask, 'parse'>
  /** JSON of the input, `recvTime` as ISO 8601. */
  input: string
}

/**
 * What a worker can do with a codec: call it; tell which of these functions it has (`text` is an
 * object with true or false for each); or say only whether it parses (`text` is `null`).
 */
export type CodecTask = CodecFunction | 'functions' | 'parse'

/** To a worker: tasks for one codec, done in this order. */
export interface CodecBatch {
  source: string
  tasks: { name: CodecTask; input: string }[]
}

/** From a worker: the outcomes of the first tasks, of fewer than all when its time was up. */
export interface CodecAnswer {
  outcomes: CodecOutcome[]
}
