import { parse } from 'yaml'
import { record } from '../../../../lora/published-device.ts'
import type { CodecFunction } from '../../../../sensors/codecs/codec.ts'
import { codecExample, type StoredExample } from '../../device-types/codec-example.ts'

/** The examples that the service takes; others, such as those without a frame, are left out. */
export function readExamples(list: unknown, codecFunction: CodecFunction): StoredExample[] {
  if (!Array.isArray(list)) return []
  return list.map(record).flatMap((published) => {
    const { bytes, fPort, recvTime, data, variables } = record(published.input)
    const example = {
      description: String(published.description ?? published.name ?? '').slice(0, 255),
      function: codecFunction,
      input: {
        ...(codecFunction === 'encodeDownlink' ? { data } : { bytes }),
        ...(fPort === undefined ? {} : { fPort }),
        ...(recvTime === undefined ? {} : { recvTime }),
        ...(variables === undefined ? {} : { variables }),
      },
      output: published.output ?? published.expected,
    }
    if (codecFunction !== 'encodeDownlink' && bytes === undefined) return []
    return codecExample.safeParse(example).data ?? []
  })
}

/**
 * ChirpStack's files of tests hold more than JSON has: hexadecimal numbers, commas at the end, names without
 * quotes. YAML takes them, with a blank after the name.
 * @throws Error for what is neither.
 */
export function readTests(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const spaced = text.replaceAll('\t', ' ').replace(/([{,]\s*[A-Za-z_]\w*):(?=\S)/g, '$1: ')
    return readYaml(spaced)
  }
}

/** @throws Error for what is not YAML, and for aliases: a few of them can stand for gigabytes. */
export function readYaml(text: string): unknown {
  return parse(text, { maxAliasCount: 0 })
}
