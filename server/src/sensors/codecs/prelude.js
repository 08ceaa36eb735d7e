/*
 * Runs inside the sandbox before a codec, and gives the service the function that calls the codec:
 * text in, text out. It takes its own references to built-ins before the codec can change them. The
 * first character of an answer is + before a result, and - before a reason.
 */
;(() => {
  const { parse, stringify } = JSON
  const { isArray } = Array
  const toText = String
  const Time = Date
  const { isView } = ArrayBuffer
  const exported = {}

  globalThis.module = { exports: exported }
  globalThis.exports = exported
  globalThis.console = { log() {}, debug() {}, info() {}, warn() {}, error() {}, trace() {} }

  /** Looked up by name: `const` and `let` are no properties of the global object. */
  const named = {
    decodeUplink: () => (typeof decodeUplink === 'function' ? decodeUplink : undefined),
    encodeDownlink: () => (typeof encodeDownlink === 'function' ? encodeDownlink : undefined),
    decodeDownlink: () => (typeof decodeDownlink === 'function' ? decodeDownlink : undefined),
  }

  /** The function names of The Things Network v2 and ChirpStack v3, older than TS013. */
  const older = {
    decodeUplink() {
      if (typeof Decoder === 'function') {
        return (input) => ({ data: Decoder(input.bytes, input.fPort) })
      }
      if (typeof Decode === 'function') {
        return (input) => ({ data: Decode(input.fPort, input.bytes, input.variables) })
      }
    },
    encodeDownlink() {
      if (typeof Encoder === 'function') {
        return (input) => ({ bytes: Encoder(input.data, input.fPort) })
      }
      if (typeof Encode === 'function') {
        return (input) => ({ bytes: Encode(input.fPort, input.data, input.variables) })
      }
    },
    decodeDownlink() {},
  }

  function find(name) {
    const own = named[name]()
    if (own) return own
    const ofModule = module?.exports?.[name] ?? exports?.[name]
    return typeof ofModule === 'function' ? ofModule : older[name]()
  }

  /** Has no prototype: the codec may have added a toJSON to the one of all objects. */
  function listFunctions() {
    return {
      __proto__: null,
      decodeUplink: find('decodeUplink') !== undefined,
      encodeDownlink: find('encodeDownlink') !== undefined,
      decodeDownlink: find('decodeDownlink') !== undefined,
    }
  }

  function describe(error) {
    // The engine throws null when there is no memory for an error.
    if (error === null) return 'The codec threw null, or it is out of memory.'
    try {
      return toText(error)
    } catch {
      return 'The codec threw something that has no text.'
    }
  }

  /** Converts typed arrays to lists of numbers, as in TS013: JSON would make objects of them. */
  function toList(bytes) {
    return isView(bytes) ? [...bytes] : bytes
  }

  function call(name, text, longest) {
    try {
      if (name === 'functions') return `+${stringify(listFunctions())}`
      const codecFunction = find(name)
      if (!codecFunction) return `-The codec has no function ${name}.`
      const input = parse(text)
      if (input.recvTime !== undefined) input.recvTime = new Time(input.recvTime)
      const result = codecFunction(input)
      if (result === null || typeof result !== 'object' || isArray(result)) {
        const kind = result === null ? 'null' : isArray(result) ? 'a list' : typeof result
        return `-${name} returned ${kind}, and no object.`
      }
      const { data, bytes, fPort, errors, warnings } = result
      // No prototype, as in `listFunctions`.
      const answer = stringify({
        __proto__: null,
        data,
        bytes: toList(bytes),
        fPort,
        errors,
        warnings,
      })
      if (answer?.[0] !== '{') return `-${name} returned nothing that is an object in JSON.`
      if (answer.length <= longest) return `+${answer}`
      return `-The result has ${answer.length} characters of at most ${longest}.`
    } catch (error) {
      return `-${describe(error)}`
    }
  }

  return { call, describe }
})()
