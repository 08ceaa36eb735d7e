import { explainDownlink } from '../../sensors/explanation/explain-downlink.ts'
import { cover, type ExplainedPart } from '../../sensors/explanation/explained-bytes.ts'

/** Who made the bytes of a downlink. */
type Maker = 'settings' | 'codec' | 'user'

/** The parts of a downlink. What a codec or a user made, only its device can read. */
export function partsOfDownlink(
  typeId: number,
  payload: Uint8Array,
  maker: Maker,
): ExplainedPart[] {
  if (maker === 'settings') return explainDownlink(typeId, payload)
  return cover(payload.length, [], maker === 'codec' ? 'Encoded by the codec' : 'Sent as given')
}
