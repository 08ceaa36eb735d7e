import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { requestBytes, type Target } from './http-connection.ts'

/** Connections that are opened at the same time. */
const together = 200

/** Opens so many connections that each send one request and are then kept. */
export async function openIdle(target: Target, count: number): Promise<Socket[]> {
  const request = requestBytes('GET', '/livez', {})
  const sockets: Socket[] = []
  const openOne = async () => {
    const socket = connect(target)
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(request)
    await once(socket, 'data')
    sockets.push(socket)
  }
  for (let opened = 0; opened < count; opened += together) {
    const length = Math.min(together, count - opened)
    await Promise.all(Array.from({ length }, openOne))
  }
  return sockets
}
