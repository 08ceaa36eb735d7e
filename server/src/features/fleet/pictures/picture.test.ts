import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { readPicture } from './picture.ts'

/** What a picture keeps: its pixels or lines, and nothing that runs, loads or tells. */

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function png(width: number, height: number, ...more: Buffer[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  const pixels = deflateSync(Buffer.alloc(2 * 3))
  const start = Buffer.from('89504e470d0a1a0a', 'hex')
  const parts = [chunk('IHDR', header), ...more, chunk('IDAT', pixels)]
  return Buffer.concat([start, ...parts, chunk('IEND', Buffer.alloc(0))])
}

function segment(marker: number, content: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(content.length + 2)
  return Buffer.concat([Buffer.from([0xff, marker]), length, Buffer.from(content, 'latin1')])
}

const jpeg = (...more: Buffer[]) =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, 'JFIF\0'),
    ...more,
    segment(0xc0, '\x08\x00\x10\x00\x20\x01'),
    segment(0xda, '\x01'),
    Buffer.from([1, 2, 3, 0xff, 0xd9]),
  ])

const read = (bytes: Buffer | string) => readPicture(Buffer.from(bytes as string))
const textOf = (picture: ReturnType<typeof readPicture>) =>
  'bytes' in picture ? picture.bytes.toString('latin1') : picture.fault

test('a PNG keeps its pixels, and loses its notes and what stands behind its end', () => {
  const noted = png(2, 2, chunk('tEXt', Buffer.from('Comment\0<script>secret')))
  const picture = read(Buffer.concat([noted, Buffer.from('<script>more')]))
  assert.deepEqual(picture, { type: 'image/png', width: 2, height: 2, bytes: png(2, 2) })
})

test('a JPEG keeps its pixels, and loses place, time and comments', () => {
  const exif = segment(0xe1, 'Exif\0\0 48.137, 11.575')
  const picture = read(Buffer.concat([jpeg(exif, segment(0xfe, '<script>')), Buffer.from('zip')]))
  assert.deepEqual(picture, { type: 'image/jpeg', width: 32, height: 16, bytes: jpeg() })
})

/** Exif as a phone writes it: the orientation among other notes. */
function exifOf(orientation: number, order: 'II' | 'MM'): Buffer {
  const isLittle = order === 'II'
  const number = (value: number, bytes: 2 | 4) => {
    const text = value.toString(16).padStart(bytes * 2, '0')
    const big = Buffer.from(text, 'hex')
    return (isLittle ? big.reverse() : big).toString('latin1')
  }
  const entry = (tag: number, value: number) =>
    number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + number(0, 2)
  const directory = number(2, 2) + entry(0x0100, 77) + entry(0x0112, orientation) + number(0, 4)
  return segment(0xe1, `Exif\0\0${order}${number(42, 2)}${number(8, 4)}${directory}48.137, 11.575`)
}

for (const order of ['II', 'MM'] as const) {
  test(`a photo of a phone that was held upright stays upright (${order})`, () => {
    const picture = read(jpeg(exifOf(6, order)))
    assert.ok('bytes' in picture)
    assert.deepEqual([picture.width, picture.height], [16, 32])
    assert.doesNotMatch(textOf(picture), /48\.137/)
    assert.equal(picture.bytes.length, jpeg().length + 36)
    // What was written is read as it is.
    assert.deepEqual(readPicture(picture.bytes), picture)
  })
}

test('notes that name no orientation, or one that is none, turn nothing', () => {
  for (const note of [
    exifOf(1, 'II'),
    exifOf(9, 'MM'),
    segment(0xe1, 'Exif\0\0MM\0*\xff\xff\xff\xff'),
    segment(0xe1, 'Exif\0\0II'),
  ]) {
    assert.deepEqual(read(jpeg(note)), read(jpeg()))
  }
})

test('a JPEG keeps all its scans, and loses a second picture behind its end', () => {
  const scans = [
    [1, 0xff, 0, 2, 0xff, 0xd0, 3],
    [4, 5],
  ]
  const parts = scans.flatMap((scan) => [segment(0xda, '\x01'), Buffer.from(scan)])
  const frame = [Buffer.from([0xff, 0xd8]), segment(0xc2, '\x08\x00\x10\x00\x20\x01')]
  const photo = Buffer.concat([...frame, ...parts, Buffer.from([0xff, 0xd9])])
  const index = segment(0xe2, 'MPF\0 48.137')
  const second = jpeg(segment(0xe1, 'Exif\0\0 48.137'))
  const sent = Buffer.concat([photo.subarray(0, 2), index, photo.subarray(2), second])
  assert.deepEqual(read(sent), { type: 'image/jpeg', width: 32, height: 16, bytes: photo })
})

test('what is none, is cut off or would fill the memory of a browser is refused', () => {
  assert.match(textOf(read('%PDF-1.7')), /PNG, JPEG or SVG/)
  assert.match(textOf(read('')), /PNG, JPEG or SVG/)
  assert.match(textOf(read(png(2, 2).subarray(0, 40))), /cut off/)
  assert.match(textOf(read(jpeg().subarray(0, 20))), /cut off/)
  assert.match(textOf(read(png(0, 2))), /cut off/)
  assert.match(textOf(read(png(100_000, 100_000))), /50 million pixels/)
})

const svg = (content: string, root = 'viewBox="0 0 40 30"') =>
  `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${root}>${content}</svg>`

test('an SVG keeps what it draws', () => {
  const drawing =
    '<style>.wall { stroke: #333 }</style><defs><g id="door"><path d="M0 0h4"></path></g></defs>' +
    '<g class="wall" transform="scale(2)"><rect x="1" y="1" width="9" height="9" style="fill: url(#a)"></rect>' +
    '<use xlink:href="#door"></use><text font-size="3">Büro &lt;2&gt; &amp; more</text></g>'
  const picture = read(svg(drawing))
  assert.ok('bytes' in picture)
  assert.deepEqual([picture.type, picture.width, picture.height], ['image/svg+xml', 40, 30])
  assert.ok(picture.bytes.toString().includes(drawing))
  // What was written is read as it is.
  assert.deepEqual(readPicture(picture.bytes), picture)
})

const hostile = [
  '<script>alert(1)</script>',
  '<rect onclick="alert(1)" onload="alert(1)"/>',
  '<a href="javascript:alert(1)"><text>x</text></a>',
  '<a xlink:href="https://evil.test/"><text>x</text></a>',
  '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></body></foreignObject>',
  '<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>',
  '<image href="https://evil.test/x.png"/>',
  '<image href="data:image/svg+xml;base64,PHN2Zz4="/>',
  '<use href="https://evil.test/x.svg#a"/>',
  '<use href="data:image/svg+xml,alert(1)"/>',
  '<style>@import url(https://evil.test/x.css);</style>',
  '<style><![CDATA[rect { background: url("https://evil.test/") }]]></style>',
  '<style>rect { fill: u\\72l(https://evil.test/) }</style>',
  '<rect style="fill: url(https://evil.test/x)"/>',
  '<rect fill="url(https://evil.test/x#a)"/>',
  '<set attributeName="href" to="javascript:alert(1)"/>',
  '<animate attributeName="href" values="javascript:alert(1)"/>',
  '<iframe src="https://evil.test/"/>',
  '<!-- <script>alert(1)</script> -->',
  '<?xml-stylesheet href="https://evil.test/x.css"?>',
  '<handler xmlns="http://www.w3.org/2001/xml-events">alert(1)</handler>',
]

for (const content of hostile) {
  test(`an SVG does not run or load anything: ${content.slice(0, 70)}`, () => {
    const text = textOf(read(svg(`${content}<path d="M0 0h1"/>`)))
    assert.ok(text.includes('<path d="M0 0h1">'), text)
    assert.doesNotMatch(
      text,
      /alert|evil|script|onclick|onload|javascript|foreignObject|iframe|animate|<set|import|svg\+xml/i,
    )
  })
}

test('an SVG with entities of its own, no size, other content or no end is refused', () => {
  const bomb = `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]>${svg('<text>&b;</text>').slice(21)}`
  assert.match(textOf(read(bomb)), /entities/)
  assert.match(textOf(read(svg('<text>&unknown;</text>'))), /not well-formed/)
  assert.match(textOf(read(svg('', ''))), /viewBox/)
  assert.match(textOf(read('<html><svg/></html>')), /no SVG/)
  assert.match(
    textOf(read('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">')),
    /well-formed/,
  )
  assert.match(textOf(read(svg('<g>'.repeat(300) + '</g>'.repeat(300)))), /too large/)
})
