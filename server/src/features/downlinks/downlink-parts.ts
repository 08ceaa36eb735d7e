import { explainDownlink } from '../../sensors/explanation/explain-downlink.ts'
import { cover, type ExplainedPart } from '../../sensors/explanation/explained-bytes.ts'

/** The parts of a downlink. What a codec encoded, only its device can read. */
export function partsOfDownlink(
  typeId: number,
  payload: Uint8Array,
  isByCodec: boolean,
): ExplainedPart[] {
  return isByCodec
    ? cover(payload.length, [], 'Encoded by the codec')
    : explainDownlink(typeId, payload)
}
