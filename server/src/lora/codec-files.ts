/** A published file, and the functions that it is published for. */
export interface CodecFile {
  text: string
  functions: readonly string[]
}

/** The names that a function has, also before TS013. */
const namesOf: Record<string, readonly string[]> = {
  decodeUplink: ['decodeUplink', 'normalizeUplink', 'Decoder', 'Decode'],
  encodeDownlink: ['encodeDownlink', 'Encoder', 'Encode'],
  decodeDownlink: ['decodeDownlink'],
}

/**
 * Joins the files of a codec. Each gets a scope of its own: the decoder and the encoder of a maker often define
 * the same names with other meanings. Only the functions that a file is published for leave it. A single
 * file stays as it is.
 */
export function joinCodecFiles(files: readonly CodecFile[]): string {
  const [first, ...others] = files
  if (others.length === 0) return first?.text ?? ''
  return files.map(enclose).join('\n')
}

function enclose({ text, functions }: CodecFile): string {
  const names = functions.flatMap((name) => namesOf[name] ?? [])
  const found = names.map(
    (name) => `${name}: typeof ${name} === 'function' ? ${name} : module.exports.${name}`,
  )
  return `var { ${names.join(', ')} } = (function (module, exports) {
${text}
return { ${found.join(', ')} }
}).apply(this, (function (made) { return [made, made.exports] })({ exports: {} }));`
}
