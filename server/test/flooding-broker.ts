import { createHash } from 'node:crypto'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A PUBLISH of MQTT 3.1.1 (section 3.3) on the topic `a`, with a packet identifier above QoS 0. */
export function publishPacket(payload: Buffer, { qos = 0, id = 1, topic = 'a' } = {}): Buffer {
  const name = Buffer.from(topic)
  const number = qos > 0 ? [id >> 8, id & 0xff] : []
  const start = [Buffer.from([name.length >> 8, name.length & 0xff]), name, Buffer.from(number)]
  const body = Buffer.concat([...start, payload])
  const header = [0x30 | (qos << 1)]
  for (let rest = body.length; ; rest = Math.floor(rest / 128)) {
    header.push((rest % 128) + (rest >= 128 ? 0x80 : 0))
    if (rest < 128) break
  }
  return Buffer.concat([Buffer.from(header), body])
}

/** A WebSocket frame of less than 64 KiB from a server (RFC 6455, section 5.2). */
export function webSocketFrame(content: Buffer, opcode = 2): Buffer {
  const { length } = content
  const size = length < 126 ? [length] : [126, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([0x80 | opcode, ...size]), content])
}

/**
 * A broker that lets every client in, takes its subscription, and then sends `flood` again and
 * again without an end. With `isWebSocket`, `flood` is frames.
 */
export async function startFloodingBroker(
  context: { after(end: () => void): void },
  flood: Buffer,
  { isWebSocket = false } = {},
) {
  const sockets = new Set<Socket>()
  const seen = { connections: 0 }
  const server = createServer((socket) => {
    seen.connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    const say = (packet: Buffer) => socket.write(isWebSocket ? webSocketFrame(packet) : packet)
    const pour = () => {
      while (!socket.destroyed && socket.write(flood));
      socket.once('drain', () => setImmediate(pour))
    }
    const steps = [
      () => say(Buffer.from([0x20, 2, 0, 0])),
      () => {
        // The answer to the first packet of a client of mqtt.js, whose identifier is 1.
        say(Buffer.from([0x90, 3, 0, 1, 1]))
        pour()
      },
    ]
    if (isWebSocket) steps.unshift(() => undefined)
    let isUpgraded = !isWebSocket
    socket.on('data', (chunk) => {
      if (!isUpgraded) socket.write(upgrade(String(chunk)))
      isUpgraded = true
      steps.shift()?.()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `${isWebSocket ? 'ws' : 'mqtt'}://127.0.0.1:${port}`, seen }
}

/** The answer to a client that asks for a WebSocket (RFC 6455, section 4.2.2). */
function upgrade(request: string): string {
  const [, key] = /sec-websocket-key: (.*)\r/i.exec(request) ?? []
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Protocol: mqtt',
    `Sec-WebSocket-Accept: ${accept.digest('base64')}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}
