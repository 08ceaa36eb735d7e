import { zxyToTileId } from 'pmtiles'

/** For tests: a PMTiles file (version 3, without compression) of these tiles; of vectors (MVT) or PNG. */
export function makeMapFile(
  tiles: readonly { z: number; x: number; y: number; bytes: Uint8Array }[],
  { type, attribution }: { type: 'mvt' | 'png'; attribution: string },
): Buffer {
  const sorted = tiles
    .map((tile) => ({ ...tile, id: zxyToTileId(tile.z, tile.x, tile.y) }))
    .sort((one, other) => one.id - other.id)
  const ids = sorted.map(({ id }, index) => id - (sorted[index - 1]?.id ?? 0))
  const root = Buffer.from(
    [
      sorted.length,
      ...ids,
      ...sorted.map(() => 1),
      ...sorted.map(({ bytes }) => bytes.length),
      // The first begins at 0, each other one where the one before ends.
      ...sorted.map((_tile, index) => (index === 0 ? 1 : 0)),
    ].flatMap(toVarint),
  )
  const metadata = Buffer.from(JSON.stringify({ attribution }))
  const zooms = sorted.map(({ z }) => z)
  const data = Buffer.concat(sorted.map(({ bytes }) => bytes))
  const header = Buffer.alloc(127)
  header.write('PMTiles')
  header[7] = 3
  const start = header.length
  const positions = [start, root.length, start + root.length, metadata.length]
  positions.push(start + root.length + metadata.length, 0)
  positions.push(start + root.length + metadata.length, data.length)
  positions.push(sorted.length, sorted.length, sorted.length)
  for (const [index, value] of positions.entries()) {
    header.writeBigUInt64LE(BigInt(value), 8 + 8 * index)
  }
  header.set([1, 1, 1, type === 'mvt' ? 1 : 2, Math.min(...zooms), Math.max(...zooms)], 96)
  for (const [index, degrees] of [-180, -85, 180, 85].entries()) {
    header.writeInt32LE(degrees * 10_000_000, 102 + 4 * index)
  }
  return Buffer.concat([header, root, metadata, data])
}

/** A vector tile with one line, as a road of the layout of Protomaps, from one corner to the other. */
export function roadTile(): Buffer {
  const text = (words: string) => [words.length, ...Buffer.from(words)]
  const zigzag = (value: number) => toVarint(value * 2)
  const geometry = [9, ...zigzag(0), ...zigzag(0), 10, ...zigzag(4096), ...zigzag(4096)]
  const feature = [0x12, 2, 0, 0, 0x18, 2, 0x22, geometry.length, ...geometry]
  const value = [0x0a, ...text('highway')]
  const layer = [
    ...[0x0a, ...text('roads'), 0x12, feature.length, ...feature],
    ...[0x1a, ...text('kind'), 0x22, value.length, ...value],
    ...[0x28, ...toVarint(4096), 0x78, 2],
  ]
  return Buffer.from([0x1a, layer.length, ...layer])
}

function toVarint(value: number): number[] {
  if (value < 128) return [value]
  return [(value % 128) + 128, ...toVarint(Math.floor(value / 128))]
}
