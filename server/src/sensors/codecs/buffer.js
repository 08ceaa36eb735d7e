/*
 * `Buffer` for codecs, as in ChirpStack: the part of Node's Buffer that reads and writes payloads
 * (Node.js documentation, "Buffer"). Runs inside the sandbox.
 */
;(() => {
  const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

  function bytesOfText(text, encoding = 'utf8') {
    switch (encoding.toLowerCase()) {
      case 'hex': {
        const pairs = /^([0-9a-f]{2})*/i.exec(text)[0]
        return Array.from({ length: pairs.length / 2 }, (_, index) =>
          Number.parseInt(pairs.slice(index * 2, index * 2 + 2), 16),
        )
      }
      case 'base64':
      case 'base64url':
        return bytesOfBase64(text)
      case 'ascii':
      case 'latin1':
      case 'binary':
        return Array.from(text, (character) => character.charCodeAt(0) & 0xff)
      default:
        return bytesOfUtf8(text)
    }
  }

  function bytesOfUtf8(text) {
    const bytes = []
    for (const character of text) {
      const code = character.codePointAt(0)
      if (code < 0x80) bytes.push(code)
      else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 0x3f))
      else {
        if (code < 0x10000) bytes.push(0xe0 | (code >> 12))
        else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f))
        bytes.push(0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f))
      }
    }
    return bytes
  }

  function bytesOfBase64(text) {
    const bytes = []
    let bits = 0
    let count = 0
    for (const digit of text.replace(/-/g, '+').replace(/_/g, '/')) {
      const value = base64Digits.indexOf(digit)
      if (value < 0) continue
      bits = ((bits << 6) | value) & 0xffffff
      count += 6
      if (count < 8) continue
      count -= 8
      bytes.push((bits >> count) & 0xff)
    }
    return bytes
  }

  function base64Of(bytes) {
    let text = ''
    for (let index = 0; index < bytes.length; index += 3) {
      const [a, b = 0, c = 0] = bytes.slice(index, index + 3)
      const bits = (a << 16) | (b << 8) | c
      for (const shift of [18, 12, 6, 0]) text += base64Digits[(bits >> shift) & 63]
    }
    const missing = (3 - (bytes.length % 3)) % 3
    return text.slice(0, text.length - missing) + '='.repeat(missing)
  }

  function utf8Of(bytes) {
    let encoded = ''
    for (const byte of bytes) encoded += `%${byte.toString(16).padStart(2, '0')}`
    try {
      return decodeURIComponent(encoded)
    } catch {
      return String.fromCharCode(...bytes.map((byte) => (byte < 0x80 ? byte : 0xfffd)))
    }
  }

  class Buffer extends Uint8Array {
    static from(value, second, length) {
      if (typeof value === 'string') return new Buffer(bytesOfText(value, second))
      if (value instanceof ArrayBuffer) return new Buffer(value, second, length)
      return new Buffer(Array.from(value))
    }

    static alloc(size, fill = 0) {
      return new Buffer(size).fill(fill)
    }

    static allocUnsafe(size) {
      return new Buffer(size)
    }

    static isBuffer(value) {
      return value instanceof Buffer
    }

    static byteLength(value, encoding) {
      return typeof value === 'string' ? bytesOfText(value, encoding).length : value.byteLength
    }

    static concat(list, length = list.reduce((sum, { length }) => sum + length, 0)) {
      const all = new Buffer(length)
      let offset = 0
      for (const part of list) {
        all.set(part.subarray(0, Math.max(0, length - offset)), offset)
        offset += part.length
      }
      return all
    }

    /** Of the same memory, as in Node. */
    slice(start, end) {
      return this.subarray(start, end)
    }

    toString(encoding = 'utf8', start = 0, end = this.length) {
      const bytes = Array.from(this.subarray(start, end))
      switch (encoding.toLowerCase()) {
        case 'hex':
          return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
        case 'base64':
          return base64Of(bytes)
        case 'base64url':
          return base64Of(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')
        case 'ascii':
          return String.fromCharCode(...bytes.map((byte) => byte & 0x7f))
        case 'latin1':
        case 'binary':
          return String.fromCharCode(...bytes)
        default:
          return utf8Of(bytes)
      }
    }

    toJSON() {
      return { type: 'Buffer', data: Array.from(this) }
    }

    equals(other) {
      return this.length === other.length && this.every((byte, index) => byte === other[index])
    }

    copy(target, targetStart = 0, start = 0, end = this.length) {
      const part = this.subarray(start, Math.min(end, start + target.length - targetStart))
      target.set(part, targetStart)
      return part.length
    }

    write(text, offset = 0, length = this.length - offset, encoding = 'utf8') {
      const bytes = bytesOfText(text, encoding).slice(0, length)
      this.set(bytes, offset)
      return bytes.length
    }

    view(offset, length) {
      if (!(offset >= 0 && offset + length <= this.length)) {
        throw new RangeError(
          `The value of "offset" is out of range: ${offset} of ${this.length} bytes.`,
        )
      }
      return new DataView(this.buffer, this.byteOffset, this.length)
    }

    readUIntBE(offset, length) {
      this.view(offset, length)
      let value = 0
      for (let index = 0; index < length; index += 1) value = value * 256 + this[offset + index]
      return value
    }

    readUIntLE(offset, length) {
      this.view(offset, length)
      let value = 0
      for (let index = length - 1; index >= 0; index -= 1)
        value = value * 256 + this[offset + index]
      return value
    }

    readIntBE(offset, length) {
      return signed(this.readUIntBE(offset, length), length)
    }

    readIntLE(offset, length) {
      return signed(this.readUIntLE(offset, length), length)
    }

    writeUIntBE(value, offset, length) {
      this.view(offset, length)
      for (let index = length - 1, rest = value; index >= 0; index -= 1) {
        this[offset + index] = rest
        rest = Math.floor(rest / 256)
      }
      return offset + length
    }

    writeUIntLE(value, offset, length) {
      this.view(offset, length)
      for (let index = 0, rest = value; index < length; index += 1) {
        this[offset + index] = rest
        rest = Math.floor(rest / 256)
      }
      return offset + length
    }

    writeIntBE(value, offset, length) {
      return this.writeUIntBE(value < 0 ? value + 256 ** length : value, offset, length)
    }

    writeIntLE(value, offset, length) {
      return this.writeUIntLE(value < 0 ? value + 256 ** length : value, offset, length)
    }
  }

  function signed(value, length) {
    return value >= 256 ** length / 2 ? value - 256 ** length : value
  }

  function define(name, method) {
    Object.defineProperty(Buffer.prototype, name, {
      value: method,
      writable: true,
      configurable: true,
    })
  }

  /** `read…` and `write…` of one type of DataView, in both orders of bytes. */
  function defineNumber(names, type, length) {
    for (const order of length === 1 ? [''] : ['BE', 'LE']) {
      for (const name of names) {
        define(`read${name}${order}`, function (offset = 0) {
          return this.view(offset, length)[`get${type}`](offset, order === 'LE')
        })
        define(`write${name}${order}`, function (value, offset = 0) {
          this.view(offset, length)[`set${type}`](offset, value, order === 'LE')
          return offset + length
        })
      }
    }
  }

  defineNumber(['UInt8', 'Uint8'], 'Uint8', 1)
  defineNumber(['Int8'], 'Int8', 1)
  defineNumber(['UInt16', 'Uint16'], 'Uint16', 2)
  defineNumber(['Int16'], 'Int16', 2)
  defineNumber(['UInt32', 'Uint32'], 'Uint32', 4)
  defineNumber(['Int32'], 'Int32', 4)
  defineNumber(['BigUInt64', 'BigUint64'], 'BigUint64', 8)
  defineNumber(['BigInt64'], 'BigInt64', 8)
  defineNumber(['Float'], 'Float32', 4)
  defineNumber(['Double'], 'Float64', 8)
  for (const name of ['readUIntBE', 'readUIntLE', 'writeUIntBE', 'writeUIntLE']) {
    define(name.replace('UInt', 'Uint'), Buffer.prototype[name])
  }

  Object.defineProperty(globalThis, 'Buffer', {
    value: Buffer,
    writable: true,
    configurable: true,
  })
})()
