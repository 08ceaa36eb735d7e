import { type ChildProcess, spawn } from 'node:child_process'
import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { connectAsync, type IPublishPacket, type MqttClient } from 'mqtt'
import { testCertificate, testKey } from './certificate.ts'
import { findProgram, skipWithout } from './installed.ts'
import { findFreePort } from './port.ts'
import { until } from './until.ts'

const program = findProgram('mosquitto')

/** Why tests with Mosquitto are skipped; false if it is installed. */
export const noMosquitto = skipWithout('mosquitto')

/** A real broker of an organization, which goes away and comes back. */
export interface Mosquitto {
  port: number
  webSocketPort: number
  /** MQTT over TLS, for clients that have the test certificate, which is also the broker's. */
  tlsPort: number
  /** The same over a WebSocket. */
  secureWebSocketPort: number
  /** All that was published, in order, as a subscriber of every topic gets it. */
  received: IPublishPacket[]
  /** Waits until so many have come: a subscriber gets a message after its sender has its answer. */
  receives(count: number): Promise<void>
  goAway(): Promise<void>
  comeBack(): Promise<void>
  /** What a subscriber gets that comes now: the retained messages. */
  retained(): Promise<IPublishPacket[]>
}

/** Lets in only the user `lora` with the password `secret`, who may publish under three topics. */
export async function startMosquitto(t: {
  after(end: () => Promise<void>): unknown
}): Promise<Mosquitto> {
  const folder = await mkdtemp(join(tmpdir(), 'mosquitto-'))
  const ports = {
    port: await findFreePort(),
    webSocketPort: await findFreePort(),
    tlsPort: await findFreePort(),
    secureWebSocketPort: await findFreePort(),
  }
  const { port } = ports
  await writeFile(join(folder, 'certificate'), testCertificate)
  await writeFile(join(folder, 'key'), testKey)
  await writeFile(join(folder, 'passwords'), `lora:${hashPassword('secret')}\n`)
  await writeFile(join(folder, 'topics'), topics)
  await writeFile(join(folder, 'mosquitto.conf'), configuration(folder, ports))
  const received: IPublishPacket[] = []
  let broker: ChildProcess | undefined
  let subscriber: MqttClient | undefined
  const goAway = async () => {
    await subscriber?.endAsync(true)
    const leaving = broker
    broker = undefined
    if (!leaving) return
    const gone = new Promise((resolve) => leaving.once('exit', resolve))
    leaving.kill('SIGTERM')
    await gone
  }
  const subscribe = async (take: (packet: IPublishPacket) => void) => {
    const client = await connectAsync(`mqtt://127.0.0.1:${port}`, {
      username: 'lora',
      password: 'secret',
      protocolVersion: 5,
      reconnectPeriod: 0,
    })
    client.on('message', (_topic, _payload, packet) => take(packet))
    await client.subscribeAsync('#', { qos: 1 })
    return client
  }
  const comeBack = async () => {
    broker = spawn(program ?? '', ['-c', join(folder, 'mosquitto.conf')], { stdio: 'ignore' })
    await until(async () => {
      subscriber = await subscribe((packet) => received.push(packet)).catch(() => undefined)
      return subscriber !== undefined
    }, 'Mosquitto listens')
  }
  t.after(async () => {
    await goAway()
    await rm(folder, { recursive: true })
  })
  await comeBack()
  const retained = async () => {
    const found: IPublishPacket[] = []
    const client = await subscribe((packet) => found.push(packet))
    // Retained messages come before the answer to a later message of the client.
    await client.publishAsync('lora/end', '', { qos: 1 })
    await client.endAsync()
    return found.filter(({ retain }) => retain)
  }
  const receives = async (count: number) => {
    await until(() => received.length >= count, `Mosquitto has passed on ${count} messages`, 5_000)
  }
  return { ...ports, received, receives, goAway, comeBack, retained }
}

/** As `mosquitto_passwd` writes it since Mosquitto 2.0: PBKDF2 with SHA-512. */
function hashPassword(password: string): string {
  const salt = randomBytes(12)
  const hash = pbkdf2Sync(password, salt, 101, 64, 'sha512')
  return `$7$101$${salt.toString('base64')}$${hash.toString('base64')}`
}

const topics = `
user lora
topic read #
topic readwrite lora/#
topic readwrite site/#
topic readwrite homeassistant/#
`

type Ports = Pick<Mosquitto, 'port' | 'webSocketPort' | 'tlsPort' | 'secureWebSocketPort'>

function configuration(folder: string, ports: Ports): string {
  const tls = `
cafile ${join(folder, 'certificate')}
certfile ${join(folder, 'certificate')}
keyfile ${join(folder, 'key')}
require_certificate true
`
  return `
user ${userInfo().username}
listener ${ports.port} 127.0.0.1
listener ${ports.webSocketPort} 127.0.0.1
protocol websockets
listener ${ports.tlsPort} 127.0.0.1
${tls}
listener ${ports.secureWebSocketPort} 127.0.0.1
protocol websockets
${tls}
allow_anonymous false
password_file ${join(folder, 'passwords')}
acl_file ${join(folder, 'topics')}
`
}
