import { parseObject } from '../../sensors/codecs/codec-reading.ts'
import type { CodecPool } from '../../sensors/codecs/pool.ts'
import { hashOf } from './device-type-body.ts'
import type { StoredType } from './device-type-queries.ts'

const missing = 'The codec has no function decodeUplink(input).'

/** What a codec that is taken lacks of what uplinks are read by. */
export async function warnOfCodec(
  codecs: CodecPool,
  rootId: number,
  { codec }: Pick<StoredType, 'codec'>,
): Promise<string[]> {
  if (codec === null) return []
  const outcome = await codecs.run({
    rootId,
    purpose: 'trials',
    codecId: `functions of ${rootId}:${hashOf(codec)}`,
    source: codec,
    name: 'functions',
    input: '',
  })
  const fate = 'Uplinks are kept as UNKNOWN.'
  if (!outcome.ok) {
    return outcome.failure === 'busy' ? [] : [`The codec cannot be loaded. ${fate}`]
  }
  if (parseObject(outcome.text)?.decodeUplink !== true) return [`${missing} ${fate}`]
  return /\bdecodeUplink\b/.test(codec) ? [] : [`${missing} ${olderFormIn(codec)}`]
}

/** The sandbox calls the functions that networks called before TS013, too. */
function olderFormIn(codec: string): string {
  return /\bDecoder\b/.test(codec)
    ? 'Its Decoder(bytes, port), the form of The Things Stack v2, is called in its place.'
    : 'Its Decode(fPort, bytes, variables), the form of ChirpStack v3, is called in its place.'
}
